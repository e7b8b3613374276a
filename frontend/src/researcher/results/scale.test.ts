// Numbers land where they belong on a plot.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { madeUpEstimate } from "./madeUpEstimate";
import { differences, OPINIONS, SHARES, saidInterval, saidTest, spanOf } from "./scale";

const estimate = (value: number, low: number | null, high: number | null) =>
  madeUpEstimate({ value, low, high });

test("shares and scores span their whole range", () => {
  expect([0, 0.5, 1].map(SHARES.at)).toEqual([0, 50, 100]);
  expect([1, 3, 5].map(OPINIONS.at)).toEqual([0, 50, 100]);
});

test("differences lie around zero, and the widest interval fits", () => {
  const scale = differences([estimate(0.2, -0.7, 1.1)]);
  expect(scale.at(0)).toBe(50);
  expect(scale.at(1.1)).toBeLessThan(100);
  expect(scale.ticks).toEqual([-1.5, -0.75, 0, 0.75, 1.5]);
  expect(scale.say(-0.75)).toBe("−0.75");
});

test("an end without a bound reaches the edge", () => {
  expect(spanOf(SHARES, estimate(0.9, 0.6, null))).toEqual({ from: 60, to: 100 });
});

test("an interval says which of its ends the votes bound", () => {
  expect(saidInterval(SHARES, { low: 0.5, high: null })).toBe("50 % to …");
  expect(saidInterval(SHARES, { low: null, high: null })).toBe("no interval");
});

test("no p-value is nought, and the corrected one counts", () => {
  const tested = { ...estimate(0.9, 0.8, 0.95), p_value: 0.00001 };
  expect(saidTest(tested)).toBe(" · exploratory p < 0.001");
  expect(saidTest({ ...tested, exploratory: false })).toBe(" · p < 0.001");
  expect(saidTest({ ...tested, p_adjusted: 0.04, exploratory: false })).toBe(" · p = 0.040");
  expect(saidTest({ ...tested, too_few: true })).toBe("");
  expect(saidTest(estimate(0.9, 0.8, 0.95))).toBe("");
});
