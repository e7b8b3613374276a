// Who has access: a presenter's address made and ended, everybody signed out, and all of
// it on record.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "@playwright/test";
import { openDesk } from "./desk.ts";
import { stack } from "./stack.ts";

test("a researcher lets presenters in and out, and ends every session", async ({ browser }) => {
  const desk = await openDesk(browser);
  await desk.getByRole("link", { name: "Access" }).click();
  await expect(desk.getByRole("heading", { level: 1, name: "Access" })).toBeVisible();
  await desk.getByRole("button", { name: "Make another address" }).click();
  const address = await desk.locator("[data-testid=fresh-address] code").textContent();
  expect(address).toContain(`${stack().url}/demo#present=`);

  const presenter = await (await browser.newContext()).newPage();
  await presenter.goto(address ?? "");
  await expect(presenter.getByRole("heading", { level: 1, name: "Live demo" })).toBeVisible();
  await expect(desk.getByText("and 1 browser as presenter")).toBeVisible();
  await expect(desk.getByRole("cell", { name: "Presenter came in" }).first()).toBeVisible();

  await desk.getByRole("button", { name: "Let no presenter in" }).click();
  await expect(desk.getByText("None can be used now.")).toBeVisible();
  await presenter.reload();
  await expect(presenter.getByText("This page is for the presenter")).toBeVisible();
  await presenter.goto(address ?? "");
  await presenter.reload();
  await expect(presenter.getByText("This page is for the presenter")).toBeVisible();

  const other = await openDesk(browser);
  await desk.getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(desk.getByRole("button", { name: "Sign in" })).toBeVisible();
  await expect(other.getByRole("button", { name: "Sign in" })).toBeVisible();
  for (const page of [desk, presenter, other]) await page.context().close();
});
