// The network stops in the middle: the page goes on as far as it has fetched
// ahead, says so, sends everything when it is back, and loses nothing.
// SPDX-License-Identifier: Apache-2.0
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { stack } from "./stack.ts";
import {
  answer,
  doTrial,
  expectArrived,
  hearBoth,
  outbox,
  participantToken,
  progress,
  reachFirstTrial,
  trialShown,
} from "./walk.ts";

/** How many recordings the page has fetched whole. What Playwright tells of an
 * answer that a page reads as a stream is no measure: some never count as finished. */
const fetchedWhole = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      performance
        .getEntriesByType("resource")
        .filter(({ name, duration }) => name.includes("/api/recordings/") && duration > 0).length,
  );

/** At the first trial, with the recordings of all three on this device, and no network. */
async function offlineAtFirstTrial(page: Page, context: BrowserContext): Promise<void> {
  await reachFirstTrial(page);
  await expect.poll(() => fetchedWhole(page)).toBe(6);
  await context.setOffline(true);
}

test("three trials without a network, and all three answers arrive", async ({ page, context }) => {
  await offlineAtFirstTrial(page, context);
  await hearBoth(page);
  await answer(page, "first");
  await trialShown(page, 2);
  await expect(page.getByText("We cannot reach the study server.")).toBeVisible();
  await expect(page.getByText("Answers kept on this device: 1.")).toBeVisible();
  await expect(page.getByText("the next recordings are already on this device")).toBeVisible();
  await expectAccessible(page);
  await hearBoth(page);
  await answer(page, "second");
  await doTrial(page, 3, "no_difference");
  await expect(page.getByRole("heading", { name: "Waiting for the connection" })).toBeFocused();
  await expectAccessible(page);
  expect(await outbox(page)).toHaveLength(3);
  const token = await participantToken(page);
  expect(await progress(page, token)).toMatchObject({ trials_done: 0 });

  await context.setOffline(false);
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeFocused();
  expect(await progress(page, token)).toMatchObject({ trials_done: 3, state: "complete" });
  expect(await outbox(page)).toEqual([]);
});

test("a page that is closed without a network sends its answers when it is opened again", async ({
  page,
  context,
}) => {
  await offlineAtFirstTrial(page, context);
  await hearBoth(page);
  await answer(page, "first");
  await doTrial(page, 2, "second");
  await trialShown(page, 3);
  await page.close();
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(`${stack().url}/s/demo`);
  await trialShown(again, 3);
  await expectArrived(again, 2);
});

test("a short loss between two trials is not in the way", async ({ page, context }) => {
  await offlineAtFirstTrial(page, context);
  await hearBoth(page);
  await answer(page, "second");
  await trialShown(page, 2);
  await context.setOffline(false);
  await expect(page.getByText("The study server is back.")).toBeVisible();
  await expect.poll(() => outbox(page)).toEqual([]);
  await doTrial(page, 2, "first");
  await trialShown(page, 3);
});
