// Every medium that the contract has is a kind of trial that the page can show.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { Medium } from "./kind";
import { kindOf } from "./registry";

// One that the contract has and this lacks does not compile.
const MEDIA: Readonly<Record<Medium, true>> = { heard: true, typed: true };

test.each(Object.keys(MEDIA) as Medium[])("there is a page for what is %s", (medium) => {
  expect(kindOf({ medium })).toMatchObject({ medium, Page: expect.anything() });
});

test("another medium is a fault that is named", () => {
  expect(() => kindOf({ medium: "sung" as Medium })).toThrow("sung");
});
