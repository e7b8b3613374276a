// Every medium that the contract has is a kind of trial that the page can show.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { kindOf } from "./registry";
import { type Medium, wordsOf } from "./words";

// One that the contract has and this lacks does not compile.
const MEDIA: Readonly<Record<Medium, true>> = { heard: true, typed: true };

test.each(Object.keys(MEDIA) as Medium[])("there are a page and words for what is %s", (medium) => {
  expect(kindOf({ medium })).toMatchObject({ medium, Page: expect.anything() });
  expect(wordsOf(medium)).toMatchObject({ medium, invitation: expect.anything() });
});

test.each(Object.keys(MEDIA) as Medium[])(
  "who does no trial that is %s loads no page of it",
  (medium) => {
    // One that is imported with the rest is a function.
    expect(kindOf({ medium }).Page).toHaveProperty("$$typeof", Symbol.for("react.lazy"));
  },
);

test("another medium is a fault that is named", () => {
  expect(() => kindOf({ medium: "sung" as Medium })).toThrow("sung");
  expect(() => wordsOf("sung" as Medium)).toThrow("sung");
});
