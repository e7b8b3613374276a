// A typist's account: both sessions were typed, whoever counted them.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { accountOf } from "./account";

test("counts the sessions of each place, those unknown here as one", () => {
  expect(accountOf({ first: 0, second: 2 }, 9_000)).toEqual({
    account: { medium: "typed", sessions_first: 1, sessions_second: 2 },
    decision_ms: 9_000,
    events: [],
  });
});
