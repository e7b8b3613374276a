// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { FIRST_BIT_ERRORS } from "./scales";
import { withBitErrors } from "./withBitErrors";

test("a time is no shorter than a tick", () => {
  expect(withBitErrors(FIRST_BIT_ERRORS, { bad_ms: 3 })?.bad_ms).toBe(10);
  expect(withBitErrors(FIRST_BIT_ERRORS, { tick_ms: 150 })?.bad_ms).toBe(150);
});

test("a link that is never bad has no errors while it is bad", () => {
  const always = { ...FIRST_BIT_ERRORS, error_share_good: 0.001 };
  const never = { ...always, good_ms: 0, bad_ms: 0, error_share_bad: 0 };
  expect(withBitErrors(always, { bad_ms: 0 })).toEqual(never);
});

test("where nothing is flipped there are no bit errors", () => {
  expect(withBitErrors(FIRST_BIT_ERRORS, { error_share_bad: 0 })).toBeNull();
  expect(withBitErrors(FIRST_BIT_ERRORS, { good_ms: 0 })).toBeNull();
});
