// Numbers land where they belong on a plot.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { Estimate } from "../../api/generated";
import { differences, OPINIONS, SHARES, spanOf } from "./scale";

const estimate = (value: number, low: number | null, high: number | null): Estimate => ({
  measure: "m",
  value,
  low,
  high,
  null_value: null,
  p_value: null,
  p_adjusted: null,
  votes: 1,
  participants: 1,
  method: "m",
  sentence: "s",
  parameter: null,
});

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
