// What of a task's time passes, and what does not.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { timeLeft_ms } from "./taskTime";

const TOLD = { left_ms: 60_000, told_ms: 1_000, passes: true };

test("time passes from when it was told on, and ends at nothing", () => {
  expect(timeLeft_ms(TOLD, 900)).toBe(60_000);
  expect(timeLeft_ms(TOLD, 16_000)).toBe(45_000);
  expect(timeLeft_ms(TOLD, 90_000)).toBe(0);
});

test("time that stands still is what it was", () => {
  expect(timeLeft_ms({ ...TOLD, passes: false }, 90_000)).toBe(60_000);
});
