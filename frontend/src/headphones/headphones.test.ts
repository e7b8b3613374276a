// What the noises are, and how the test counts.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { noiseFor } from "./huggins";
import { answer, begin, correct, isEnough, isOver, ROUNDS, type Screening } from "./screening";

// A sixth of the players’: as true, and a busy machine is done in time.
const RATE = 8_000;

/** Mulberry32: the same numbers at every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One component of a signal, as [cosine, sine]. */
function component(signal: Float32Array, hertz: number): [number, number] {
  let [cosine, sine] = [0, 0];
  for (const [n, value] of signal.entries()) {
    cosine += value * Math.cos((2 * Math.PI * hertz * n) / RATE);
    sine += value * Math.sin((2 * Math.PI * hertz * n) / RATE);
  }
  return [cosine, sine];
}

/** How alike the two ears are at a frequency: 1 the same, -1 upside down. */
function likeness(hertz: number, ears: { left: Float32Array; right: Float32Array }): number {
  const [a, b] = [component(ears.left, hertz), component(ears.right, hertz)];
  return (a[0] * b[0] + a[1] * b[1]) / (Math.hypot(...a) * Math.hypot(...b));
}

test("with the tone, the ears differ in a band about 600 Hz and nowhere else", () => {
  const ears = noiseFor(numbers(1), RATE, true);
  for (const hertz of [570, 600, 630]) expect(likeness(hertz, ears)).toBeLessThan(-0.9);
  for (const hertz of [100, 500, 700, 3_000]) expect(likeness(hertz, ears)).toBeGreaterThan(0.9);
});

test("neither ear alone has the tone: the band is as strong as the noise about it", () => {
  const { left, right } = noiseFor(numbers(2), RATE, true);
  const strength = (signal: Float32Array, from: number, to: number) => {
    let sum = 0;
    for (let hertz = from; hertz < to; hertz++) sum += Math.hypot(...component(signal, hertz)) ** 2;
    return sum / (to - from);
  };
  const [inLeft, inRight] = [strength(left, 566, 634), strength(right, 566, 634)];
  expect(inRight / inLeft).toBeCloseTo(1, 1);
  expect(inRight / strength(right, 640, 708)).toBeGreaterThan(0.5);
  expect(inRight / strength(right, 640, 708)).toBeLessThan(2);
});

test("without the tone both ears get the same", () => {
  const { left, right } = noiseFor(numbers(3), RATE, false);
  expect(right).toEqual(left);
});

const answered = (screening: Screening, right: number): Screening =>
  screening.tones.reduce(
    (now, tone, round) => answer(now, round < right ? tone : (tone + 1) % 3),
    screening,
  );

test("five of six are enough, four are not", () => {
  const screening = begin(numbers(4));
  expect(screening.tones).toHaveLength(ROUNDS);
  expect(isOver(screening)).toBe(false);
  for (const right of [4, 5, 6]) {
    const done = answered(screening, right);
    expect(isOver(done)).toBe(true);
    expect(correct(done)).toBe(right);
    expect(isEnough(done)).toBe(right >= 5);
  }
});

test("the tone is in each of the three noises as often", () => {
  const random = numbers(5);
  const counts = [0, 0, 0];
  for (let test = 0; test < 500; test++) {
    for (const tone of begin(random).tones) counts[tone] = (counts[tone] ?? 0) + 1;
  }
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(100);
});
