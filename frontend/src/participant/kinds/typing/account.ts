// How a typist came to an answer, as a vote says it.
// SPDX-License-Identifier: Apache-2.0
import type { Account } from "../kind";

/** Sessions typed at each place, as far as this page knows. */
export interface Typed {
  readonly first: number;
  readonly second: number;
}

export const accountOf = (typed: Typed, decision_ms: number): Account => ({
  account: {
    medium: "typed",
    // Those of another device, or before a reload, are known to the server only.
    sessions_first: Math.max(1, typed.first),
    sessions_second: Math.max(1, typed.second),
  },
  decision_ms,
  events: [],
});
