import { beforeEach, expect, test } from "vitest";
import { Lane, type Packet } from "../feed/lane";
import {
  ladderStretch,
  laneHeight,
  lineOf,
  packetAt,
  packetFrom,
  packetNear,
  railsOf,
} from "./ladderGeometry";

const NOW_MS = 10_000;
const stretch = ladderStretch({ width: 1_000, height: 400 }, NOW_MS, 5_000);
const rails = railsOf(0, true);
let lane: Lane;

const departure = (number: number, sent_ms: number, forward = true) => ({
  number,
  forward,
  kind: forward ? ("new" as const) : ("acknowledgement" as const),
  sent_ms,
  start: 0,
  end: forward ? 100 : 0,
});

/** 1 arrives, 2 is lost, 3 is answered by 4, 5 is under way, 6 is not sent yet. */
beforeEach(() => {
  lane = new Lane();
  const departures = [
    departure(1, 6_000),
    departure(2, 7_000),
    departure(3, 8_000),
    departure(4, 8_100, false),
    departure(5, 9_950),
    departure(6, 10_020),
  ];
  const fates = [
    { number: 1, arrived_ms: 6_100 },
    { number: 2 },
    { number: 3, arrived_ms: 8_100 },
    { number: 4, arrived_ms: 8_200 },
  ];
  lane.take({ departures, fates }, 10_100);
});

const line = (number: number, now_ms = NOW_MS) =>
  lineOf(lane.packet(number) as Packet, lane, rails, { ...stretch, now_ms });

test("a packet goes from rail to rail", () => {
  expect(line(1)).toEqual({
    x1: 200,
    y1: rails.sender,
    x2: 220,
    y2: rails.receiver,
    outcome: "arrived",
  });
  const back = line(4);
  expect([back?.y1, back?.y2]).toEqual([rails.receiver, rails.sender]);
});

test("a lost packet ends at the emulator", () => {
  expect(line(2)).toMatchObject({ x1: 400, x2: 410, y2: rails.emulator, outcome: "lost" });
});

test("a packet under way is where its time is", () => {
  // The last one took 100 ms, so half of the way is behind it.
  expect(line(5)).toMatchObject({ y2: rails.emulator, outcome: "under way" });
  expect(line(1, 6_025)?.y2).toBeCloseTo(rails.sender + (rails.receiver - rails.sender) / 4);
  expect(line(6)).toBeNull();
});

test("one whose fate nobody knows does not reach the rail", () => {
  const late = line(5, 13_000);
  expect(late?.outcome).toBe("under way");
  expect(late?.y2).toBeLessThan(rails.receiver);
});

test("a click finds the nearest line of its lane", () => {
  const lanes = ["A", "B"].map(
    (letter, place) => [{ lane: 1 - place, letter, name: "" }, lane] as const,
  );
  const at = (x: number, y: number) => packetAt(lanes, x, y, stretch, true);
  expect(at(211, rails.emulator + 2)).toEqual({ lane: 1, number: 1 });
  expect(at(409, rails.emulator)).toEqual({ lane: 1, number: 2 });
  expect(at(409, rails.emulator + laneHeight(true))).toEqual({ lane: 0, number: 2 });
  expect(at(500, rails.emulator)).toBeNull();
  expect(at(5, 2)).toBeNull();
  // Where data and acknowledgement meet, the data is meant.
  expect(at(620, rails.receiver)).toEqual({ lane: 1, number: 3 });
});

test("arrow keys go in the order of leaving, and not beyond what is shown", () => {
  const from = (number: number | null, move: "previous" | "next" | "first" | "last") =>
    packetFrom(lane, number, move, stretch)?.number;
  expect([from(2, "next"), from(2, "previous"), from(1, "previous")]).toEqual([3, 1, 1]);
  expect([from(null, "next"), from(5, "next"), from(3, "first"), from(3, "last")]).toEqual([
    5, 5, 1, 5,
  ]);
});

test("from lane to lane it goes to about the same instant", () => {
  expect(packetNear(lane, 7_990)?.number).toBe(3);
  expect(packetNear(lane, 99_999)?.number).toBe(6);
});
