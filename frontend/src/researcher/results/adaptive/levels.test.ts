// Levels in words, and on their axis.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { place, saidLevel } from "./levels";

test("levels have three digits at most, and their unit", () => {
  expect(saidLevel("loss_share", 0.005)).toBe("0.5 %");
  expect(saidLevel("loss_share", 0.023456)).toBe("2.35 %");
  expect(saidLevel("one_way_delay_ms", 65)).toBe("65 ms");
});

test("equal factors are equal distances", () => {
  expect(place(0.01, 0.001, 0.1)).toBeCloseTo(50);
  expect(place(0.0001, 0.001, 0.1)).toBe(0);
  expect(place(9, 0.001, 0.1)).toBe(100);
});
