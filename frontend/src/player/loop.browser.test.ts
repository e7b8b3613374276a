// A part that repeats, rendered by Chromium sample by sample.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { Pair } from "./pair";
import { click_dbfs, differsAt, RAMP, rendered, SWITCH } from "./rendering";
import { bufferOf, CREST, noise, RATE, tone, type Wave } from "./signals";

const CLIP = 3 * RATE;
// An odd place and an odd length: in seconds neither is a round number.
const FROM = 31_337;
const LENGTH = 24_001;
const LOOP = { from_s: FROM / RATE, to_s: (FROM + LENGTH) / RATE };

/** Compares each round of the loop with the clip, leaving out the faded ends. */
function roundThatDiffers(heard: Float32Array, wave: Wave, from: number, to: number) {
  const wanted: Wave = (n) => wave(FROM + (n % LENGTH));
  for (let round = Math.floor(from / LENGTH); round * LENGTH < to; round++) {
    const [begin, end] = [round * LENGTH + RAMP + 1, (round + 1) * LENGTH - RAMP - 1];
    const at = differsAt(heard, wanted, Math.max(from, begin), Math.min(to, end));
    if (at !== null) return { round, at };
  }
  return null;
}

test("forty rounds of a loop are exact to the sample, before and after a switch", async () => {
  const [first, second] = [noise(7), noise(8)];
  const rounds = 40;
  const at = 25 * LENGTH + 9_000;
  const heard = await rendered(rounds * LENGTH, (context) => {
    const pair = new Pair(context, {
      first: bufferOf(first, CLIP),
      second: bufferOf(second, CLIP),
    });
    pair.start(LOOP.from_s, { at_s: 0, loop: LOOP });
    pair.switchTo("second", at / RATE);
    expect(pair.position((39 * LENGTH + 4_800) / RATE)).toBeCloseTo(LOOP.from_s + 0.1, 9);
  });
  expect(roundThatDiffers(heard, first, 0, at)).toBeNull();
  expect(roundThatDiffers(heard, second, at + SWITCH, rounds * LENGTH)).toBeNull();
});

test("a loop that is entered in its middle comes round at its end", async () => {
  const wave = noise(9);
  const enter = 10_000;
  const heard = await rendered(2 * LENGTH, (context) => {
    const pair = new Pair(context, { first: bufferOf(wave, CLIP) });
    pair.start((FROM + enter) / RATE, { at_s: 0, loop: LOOP });
  });
  const left = LENGTH - enter;
  expect(differsAt(heard, (n) => wave(FROM + enter + n), RAMP + 1, left - RAMP - 1)).toBeNull();
  const round: Wave = (n) => wave(FROM + n - left);
  expect(differsAt(heard, round, left + RAMP + 1, left + LENGTH - RAMP - 1)).toBeNull();
});

test("a position outside the loop starts at its beginning", async () => {
  const wave = noise(10);
  const heard = await rendered(LENGTH, (context) => {
    new Pair(context, { first: bufferOf(wave, CLIP) }).start(0.1, { at_s: 0, loop: LOOP });
  });
  expect(roundThatDiffers(heard, wave, 0, LENGTH)).toBeNull();
});

test("the worst seam leaves no click above -60 dBFS, where a hard one leaves -6", async () => {
  // Out at the tone's crest and in again where it is nought.
  const crest = FROM - (FROM % 240) + 240 + CREST;
  const loop = { from_s: (crest - CREST - 24_000) / RATE, to_s: crest / RATE };
  const length = 24_000 + CREST;
  const heard = await rendered(3 * length, (context) => {
    new Pair(context, { first: bufferOf(tone, CLIP) }).start(loop.from_s, { at_s: 0, loop });
  });
  const hard = Float32Array.from({ length: 3 * length }, (_, n) => tone(n % length));
  expect(click_dbfs(hard, RAMP, 2.5 * length)).toBeGreaterThan(-6.1);
  expect(click_dbfs(heard, RAMP, 2.5 * length)).toBeLessThan(-60);
});
