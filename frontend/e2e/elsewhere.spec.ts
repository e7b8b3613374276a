// One participation on several devices, by link and by invitation; and leaving it.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { openDesk } from "./desk.ts";
import { stack } from "./stack.ts";
import { aboutWhoJoins, exported } from "./votes.ts";
import {
  answer,
  checkSound,
  doTrial,
  expectArrived,
  hearBoth,
  memory,
  participantToken,
  progress,
  reachFirstTrial,
  trialShown,
} from "./walk.ts";

const anotherDevice = async (browser: Browser): Promise<Page> =>
  (await browser.newContext()).newPage();

/** What stands in the page's footer, for another device. */
async function linkToGoOn(page: Page): Promise<string> {
  await page.getByText("Continue on another device").click();
  return page.getByRole("textbox", { name: "Link to your participation" }).inputValue();
}

test("another device goes on at the trial where this one is, and this one follows", async ({
  page,
  browser,
}) => {
  await reachFirstTrial(page);
  await doTrial(page, 1, "first");
  await trialShown(page, 2);
  const other = await anotherDevice(browser);
  await other.goto(await linkToGoOn(page));
  // The level is another one there.
  await expect(other.getByRole("heading", { name: "Set your sound" })).toBeFocused();
  expect(other.url()).toBe(`${stack().url}/s/demo`);
  await checkSound(other);
  await doTrial(other, 2, "second");
  await trialShown(other, 3);

  // Here the second trial is still open; the first answer to it counts.
  await hearBoth(page);
  await answer(page, "no_difference");
  await trialShown(page, 3);
  expect(await participantToken(other)).toBe(await participantToken(page));
  await expectArrived(page, 2);
});

test("an invitation opens the same participation on another device", async ({ page, browser }) => {
  const desk = await openDesk(browser);
  const made = await desk.request.post(`${stack().url}/api/researcher/studies/demo/invitations`, {
    data: { count: 1, label: "a test" },
  });
  expect(made.status()).toBe(201);
  const [path] = (await made.json()).paths as string[];
  const accept = async (at: Page) => {
    await at.goto(`${stack().url}${path}`);
    await at.getByRole("checkbox", { name: /agree/ }).check();
    await at.getByRole("button", { name: "Begin" }).click();
    await checkSound(at);
  };
  await accept(page);
  await doTrial(page, 1, "first");
  await trialShown(page, 2);
  const other = await anotherDevice(browser);
  await accept(other);
  await trialShown(other, 2);
  expect(await participantToken(other)).toBe(await participantToken(page));
});

test("who withdraws takes every answer with them, and the device forgets", async ({
  page,
  browser,
}) => {
  const desk = await openDesk(browser);
  const ofMe = await aboutWhoJoins(desk);
  await reachFirstTrial(page);
  await doTrial(page, 1, "first");
  await trialShown(page, 2);
  const { participant_token, withdraw_token } = await memory(page);
  const mine = async () => ofMe(await exported(desk));
  expect(await mine()).toHaveLength(1);

  await page.getByRole("link", { name: "Withdraw" }).click();
  await page.getByRole("button", { name: "Delete my answers" }).click();
  await expect(page.getByRole("heading", { name: "You have withdrawn" })).toBeFocused();
  await expectAccessible(page);
  expect(await mine()).toHaveLength(0);
  expect(await progress(page, participant_token)).toMatchObject({ status: 410 });
  expect(await page.evaluate(() => localStorage.getItem("thinlab.s.demo"))).toBeNull();
  expect(page.url()).toBe(`${stack().url}/s/demo`);

  // The link from another device, and once more: nothing is left to go wrong.
  const other = await anotherDevice(browser);
  await other.goto(`${stack().url}/s/demo#w=${withdraw_token}`);
  await other.getByRole("button", { name: "Delete my answers" }).click();
  await expect(other.getByRole("heading", { name: "You have withdrawn" })).toBeFocused();
  await other.goto("about:blank");
  await other.goto(`${stack().url}/s/demo#p=${participant_token}`);
  await expect(other.getByRole("heading", { name: "You have withdrawn" })).toBeFocused();
});

test("a link to withdraw that leads nowhere says so", async ({ page }) => {
  await page.goto(`${stack().url}/s/demo#w=forged-forged-forged-forged`);
  await page.getByRole("button", { name: "Delete my answers" }).click();
  await expect(page.getByRole("heading", { name: "nothing left to delete" })).toBeFocused();
  await expectAccessible(page);
});
