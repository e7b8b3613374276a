// Whom the table finds.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { isFoundBy } from "./filters";

const one = { pseudonym: "p-7f3a", completion_code: "K7QM-2XWD" };

test("by pseudonym or by completion code, however it was copied", () => {
  for (const search of ["", "7f3", "K7QM-2XWD", " k7qm2xwd ", "k7qm 2xwd", "2XW"]) {
    expect(isFoundBy(search, one), search).toBe(true);
  }
  expect(isFoundBy("K7QM-2XWX", one)).toBe(false);
  expect(isFoundBy("null", { ...one, completion_code: null })).toBe(false);
});
