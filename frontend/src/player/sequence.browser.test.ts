// In turn, rendered by Chromium sample by sample: when each begins and ends.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { click_dbfs, differsAt, RAMP, rendered } from "./rendering";
import { Sequence } from "./sequence";
import { bufferOf, CREST, noise, RATE, tone } from "./signals";
import { lengthOfTurns, turnAt } from "./turns";

const LENGTH = 20_011;
const PAUSE = 24_000;
const SECOND = LENGTH + PAUSE;

test("the second begins half a second after the first ends, to the sample", async () => {
  const [first, second] = [noise(1), noise(2)];
  const begin = 1_003;
  const heard = await rendered(begin + SECOND + LENGTH + 500, (context) => {
    const members = { first: bufferOf(first, LENGTH), second: bufferOf(second, LENGTH) };
    new Sequence(context, members).start(() => {}, begin / RATE);
  });
  const [from, to] = [RAMP + 1, LENGTH - RAMP - 1];
  expect(differsAt(heard, () => 0, 0, begin)).toBeNull();
  expect(differsAt(heard, (n) => first(n - begin), begin + from, begin + to)).toBeNull();
  expect(differsAt(heard, () => 0, begin + LENGTH, begin + SECOND)).toBeNull();
  const late = begin + SECOND;
  expect(differsAt(heard, (n) => second(n - late), late + from, late + to)).toBeNull();
  expect(differsAt(heard, () => 0, late + LENGTH, heard.length)).toBeNull();
});

test("beginnings, ends and a stop at a crest leave no click above -60 dBFS", async () => {
  const length = 24_000 + CREST;
  const stop = length + PAUSE + 12_000;
  const heard = await rendered(2 * length + PAUSE, (context) => {
    const sound = bufferOf((n) => tone(n + CREST), length);
    const sequence = new Sequence(context, { first: sound, second: sound });
    sequence.start(() => {}, 0);
    sequence.stop(stop / RATE);
  });
  expect(click_dbfs(heard, 0, heard.length)).toBeLessThan(-60);
  expect(differsAt(heard, () => 0, stop + RAMP + 1, heard.length)).toBeNull();
});

test("one recording is a sequence of one", async () => {
  const wave = noise(3);
  const heard = await rendered(2 * LENGTH, (context) => {
    new Sequence(context, { first: bufferOf(wave, LENGTH) }).start(() => {}, 0);
  });
  expect(differsAt(heard, wave, RAMP + 1, LENGTH - RAMP - 1)).toBeNull();
  expect(differsAt(heard, () => 0, LENGTH, 2 * LENGTH)).toBeNull();
});

test("where the sequence is follows from the time alone", () => {
  const BOTH = ["first", "second"] as const;
  expect(lengthOfTurns(8, 2)).toBe(16.5);
  expect(turnAt(7.9, 8, BOTH)).toMatchObject({ member: "first", phase: "sounding", finished: [] });
  expect(turnAt(8.2, 8, BOTH)).toMatchObject({ member: "second", phase: "pause", position_s: 0 });
  expect(turnAt(9.5, 8, BOTH)).toMatchObject({
    member: "second",
    position_s: 1,
    finished: ["first"],
  });
  expect(turnAt(16.5, 8, BOTH)).toMatchObject({ phase: "over", finished: ["first", "second"] });
  expect(turnAt(8, 8, ["first"])).toMatchObject({
    member: "first",
    phase: "over",
    finished: ["first"],
  });
});
