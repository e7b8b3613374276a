import { expect, test } from "vitest";
import { cannotKeepUp } from "./keepingUp";

const minute = (stood_still_ms: number, sound_left_out = 0) => ({
  standstills: 9,
  stood_still_ms,
  sound_left_out,
});

test("a machine that stands still for a moment now and then keeps up", () => {
  expect(cannotKeepUp(false, null)).toBe(false);
  expect(cannotKeepUp(false, minute(500))).toBe(false);
});

test("one that stands still for long, or leaves sound out, does not", () => {
  expect(cannotKeepUp(false, minute(1_200))).toBe(true);
  expect(cannotKeepUp(false, minute(20, 1))).toBe(true);
});

test("what is said stays until it is much better", () => {
  expect(cannotKeepUp(true, minute(900))).toBe(true);
  expect(cannotKeepUp(false, minute(900))).toBe(false);
  expect(cannotKeepUp(true, minute(500))).toBe(false);
  expect(cannotKeepUp(true, null)).toBe(false);
});
