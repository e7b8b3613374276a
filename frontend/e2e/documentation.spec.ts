// The documentation, from the desk's foot to what a search finds.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "@playwright/test";
import { complaintsOf } from "./complaints.ts";
import { openDesk } from "./desk.ts";

test("a researcher searches the documentation, and nothing in it is refused", async ({
  browser,
}) => {
  const desk = await openDesk(browser);
  const refused = complaintsOf(desk);
  await desk.getByRole("link", { name: "Documentation" }).click();
  await expect(desk.getByRole("heading", { level: 1, name: "Documentation" })).toBeVisible();
  await desk.getByRole("textbox", { name: "Search" }).fill("bundling");
  // Which of the two that begin so is first is a matter of how often the word falls in them.
  const heading = desk.getByRole("heading", { name: /^Bundling/ });
  await desk.locator("a", { has: heading }).first().click();
  await expect(desk).toHaveURL(/\/docs\/kernel\.html.*#bundling/);
  expect(refused).toEqual([]);
  await desk.context().close();
});
