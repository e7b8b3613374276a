// A change to bit errors takes along what would contradict it: the lab refuses a radio link that
// cannot be.
// SPDX-License-Identifier: Apache-2.0
import type { BitErrors } from "../../api/generated";
import { FIRST_BIT_ERRORS } from "./scales";

/** Null: what is left of them flips nothing. */
export function withBitErrors(before: BitErrors, change: Partial<BitErrors>): BitErrors | null {
  const { good_ms, bad_ms, tick_ms, error_share_good, error_share_bad, at_end } = {
    ...(FIRST_BIT_ERRORS as Required<BitErrors>),
    ...before,
    ...change,
  };
  const turnsBad = good_ms > 0 && bad_ms > 0;
  const atLeastATick = (ms: number) => (turnsBad ? Math.max(ms, tick_ms) : 0);
  const whole = {
    good_ms: atLeastATick(good_ms),
    bad_ms: atLeastATick(bad_ms),
    error_share_good,
    error_share_bad: turnsBad ? error_share_bad : 0,
    tick_ms,
    at_end,
  };
  return whole.error_share_good > 0 || whole.error_share_bad > 0 ? whole : null;
}
