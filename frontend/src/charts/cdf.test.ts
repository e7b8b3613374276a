// Curves with instants of their own, put on one row.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { align, shareAt } from "./cdf";

const slow = {
  name: "slow",
  points: [
    { latency_us: 65_000, share: 0.5 },
    { latency_us: 400_000, share: 1 },
  ],
};
const quick = {
  name: "quick",
  points: [
    { latency_us: 64_000, share: 0.25 },
    { latency_us: 65_000, share: 1 },
  ],
};

test("each curve holds its share until its next step, on all instants", () => {
  expect(align([slow, quick])).toEqual([
    [64, 65, 400],
    [null, 0.5, 1],
    [0.25, 1, 1],
  ]);
});

test("one curve alone keeps its own instants", () => {
  expect(align([slow])).toEqual([
    [65, 400],
    [0.5, 1],
  ]);
});

test("a share is that of the last step at or below the instant", () => {
  expect(shareAt(slow, 64_999)).toBe(0);
  expect(shareAt(slow, 65_000)).toBe(0.5);
  expect(shareAt(slow, 1e9)).toBe(1);
});
