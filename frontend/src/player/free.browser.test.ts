// A freely played trial on Chromium's real output: what is heard, counted, written.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FreeInstrument } from "./free";
import { decode, output } from "./output";

const RATE = 48_000;

function buffer(seconds: number): AudioBuffer {
  return new AudioBuffer({ length: seconds * RATE, sampleRate: RATE });
}

let instrument: FreeInstrument;
beforeEach(async () => {
  await output().context.resume();
  instrument = new FreeInstrument(output(), { first: buffer(20), second: buffer(20) });
});
afterEach(() => instrument.dispose());

/** Waits as long as a busy machine may need. */
const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000 });

const actions = () => instrument.account().events.map(({ action, member }) => [action, member]);

test("a switch while playing goes on at the same position", async () => {
  await instrument.play();
  await until(() => instrument.view().position_s > 0.2);
  const before_s = instrument.view().position_s;
  await instrument.press("second");
  expect(instrument.view().listening).toMatchObject({ playing: true, member: "second" });
  await until(() => instrument.view().position_s > before_s);
  expect(actions()).toEqual([
    ["play", "first"],
    ["switch", "second"],
  ]);
});

test("a member's button starts it, and pressed again stops it", async () => {
  await instrument.press("second");
  expect(instrument.view().listening.playing).toBe(true);
  await instrument.press("second");
  expect(instrument.view().listening.playing).toBe(false);
  expect(instrument.account()).toMatchObject({
    plays_first: 0,
    plays_second: 1,
    switches: 0,
    played_first: "second",
  });
});

test("a member's key makes it heard, and pressed again changes nothing", async () => {
  await instrument.hear("second");
  await instrument.hear("second");
  expect(instrument.view().listening).toMatchObject({ playing: true, member: "second" });
  expect(actions()).toEqual([
    ["switch", "second"],
    ["play", "second"],
  ]);
});

test("a pause keeps the position, and play goes on from it", async () => {
  await instrument.play();
  await until(() => instrument.view().position_s > 0.2);
  instrument.stop();
  const paused_s = instrument.view().position_s;
  await instrument.play();
  expect(instrument.view().position_s).toBe(paused_s);
  await until(() => instrument.view().position_s > paused_s);
});

test("at the end it stops by itself, and play begins anew", async () => {
  instrument.seek(19.8);
  await instrument.play();
  await until(() => !instrument.view().listening.playing);
  expect(instrument.view().position_s).toBe(20);
  expect(actions().at(-1)).toEqual(["ended", "first"]);
  await instrument.play();
  expect(instrument.view().position_s).toBe(0);
});

test("a part of at least half a second repeats, and the journal says so", async () => {
  instrument.beginLoopAt(12);
  instrument.endLoopAt(12.1);
  expect(instrument.view().region).toEqual({ from_s: 11.6, to_s: 12.1 });
  await instrument.play();
  expect(instrument.view().position_s).toBe(11.6);
  await until(() => instrument.view().position_s > 11.9);
  await until(() => instrument.view().position_s < 11.8);
  expect(instrument.view().listening.playing).toBe(true);
  expect(actions().filter(([action]) => action === "loop")).toHaveLength(2);
});

test("a part stays half a second long at either end of the recording", () => {
  instrument.beginLoopAt(30);
  expect(instrument.view().region).toEqual({ from_s: 19.5, to_s: 20 });
  instrument.endLoopAt(-1);
  expect(instrument.view().region).toEqual({ from_s: 0, to_s: 0.5 });
});

test("who seeks outside the part that repeats leaves it", () => {
  instrument.beginLoopAt(10);
  instrument.seek(12);
  expect(instrument.view().looping).toBe(true);
  instrument.seek(3);
  expect(instrument.view()).toMatchObject({ looping: false, position_s: 3 });
});

test("seeking while playing goes on from there", async () => {
  await instrument.play();
  instrument.seek(12);
  await until(() => instrument.view().position_s > 12);
  expect(instrument.view().listening).toMatchObject({ playing: true, seeks: 1 });
});

test("a part that repeats counts once towards what must be heard", async () => {
  instrument.dispose();
  const alone = { first: buffer(20) };
  // A second of twenty.
  instrument = new FreeInstrument(output(), alone, { must: 0.05 });
  instrument.beginLoopAt(12);
  instrument.endLoopAt(12.1);
  await instrument.play();
  await until(() => instrument.view().listening.heard_s.first > 1.3);
  expect(instrument.view().mayVote).toBe(false);
  expect(instrument.account()).toMatchObject({
    covered_first: [{ from_ms: 11_600, to_ms: 12_100 }],
    covered_second: null,
  });
  instrument.seek(3);
  await until(() => instrument.view().mayVote);
  const [elsewhere, again] = instrument.view().listening.covered.first;
  expect(elsewhere?.from_s).toBe(3);
  expect(again?.to_s).toBeCloseTo(12.1, 3);
});

test("what is skipped is not heard, and what was heard is kept over a reload", async () => {
  instrument.seek(19.6);
  await instrument.play();
  await until(() => !instrument.view().listening.playing);
  await instrument.play();
  await until(() => instrument.view().position_s > 0.2);
  instrument.stop();
  instrument.seek(10);
  const covered = instrument.view().listening.covered.first;
  expect(covered).toHaveLength(2);
  expect(covered[0]?.from_s).toBe(0);
  expect(covered[0]?.to_s).toBeLessThan(3);
  expect(covered[1]).toEqual({ from_s: 19.6, to_s: 20 });
  const past = instrument.past();
  instrument.dispose();
  const both = { first: buffer(20), second: buffer(20) };
  instrument = new FreeInstrument(output(), both, { past });
  expect(instrument.view().listening.covered.first).toEqual(covered);
});

test("the journal never outgrows what the server takes", () => {
  for (let press = 0; press < 2_500; press++) instrument.seek(press % 20);
  expect(instrument.account().events.length).toBeLessThanOrEqual(2_000);
});

test("a file that is no sound is refused", async () => {
  await expect(decode(new ArrayBuffer(64))).rejects.toMatchObject({ name: "EncodingError" });
});
