import { expect, test } from "vitest";
import type { DemoTakeRecord } from "../../../api/generated";
import { letterIn, segmentsOf, silenceOf } from "./segments";

const take = (number: number, kind: string, began_at_ms: number | null, letters = "AB") =>
  ({
    number,
    letters,
    settings: { lanes: [...letters], stream: { kind } },
    sound: began_at_ms === null ? null : { began_at_ms, length_ms: 24_500, piece_ms: 10_000 },
  }) as unknown as DemoTakeRecord;

test("the pieces of all takes lie where they were heard, the last as long as it is", () => {
  const found = segmentsOf([
    take(1, "clip", 100.5),
    take(2, "terminal", null),
    take(3, "clip", 60_000),
  ]);
  expect(
    found.map(({ take, piece, from_ms, length_ms }) => [take, piece, from_ms, length_ms]),
  ).toEqual([
    [1, 0, 100.5, 10_000],
    [1, 1, 10_100.5, 10_000],
    [1, 2, 20_100.5, 4_500],
    [3, 0, 60_000, 10_000],
    [3, 1, 70_000, 10_000],
    [3, 2, 80_000, 4_500],
  ]);
});

test("lanes are those of the letters that the room knew", () => {
  const [first] = segmentsOf([take(1, "clip", 0, "BA")]);
  expect(first?.lanes).toEqual([
    { letter: "A", lane: 1 },
    { letter: "B", lane: 0 },
  ]);
});

test("who chose a lane that a take has not hears its first", () => {
  const lanes = [
    { letter: "A", lane: 0 },
    { letter: "B", lane: 1 },
  ];
  expect(letterIn(lanes, "B")).toBe("B");
  expect(letterIn(lanes, "D")).toBe("A");
});

test("why nothing is heard is said, of a microphone too", () => {
  expect(silenceOf(take(1, "clip", 0))).toBeNull();
  expect(silenceOf(take(1, "clip", null))).toMatch(/not kept/);
  expect(silenceOf(take(1, "microphone", null))).toMatch(/not kept/);
  expect(silenceOf(take(1, "terminal", null))).toMatch(/terminal/);
  expect(silenceOf(take(1, "synthetic", null))).toMatch(/no sound/);
});
