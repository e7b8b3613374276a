// Parts of the stack die while somebody answers: the page says so, goes on by
// itself, and every answer arrives once.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page, test } from "@playwright/test";
import { openDesk } from "./desk.ts";
import { keptProcess, stack } from "./stack.ts";
import { exported } from "./votes.ts";
import {
  answer,
  checkSound,
  expectArrived,
  hearBoth,
  join,
  outbox,
  reachFirstTrial,
  trialShown,
} from "./walk.ts";

test.skip(() => stack().pid === null, "kills only a stack that these tests started");

/** Resolves when the page says this, however short. */
const says = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.body.textContent.includes(wanted), text, {
    polling: "raf",
    timeout: 60_000,
  });
const LOST = "We cannot reach the study server.";
const BACK = "The study server is back.";

async function expectStoredOnce(page: Page, browser: Browser, decision_ms: number) {
  await expect.poll(() => outbox(page)).toEqual([]);
  await expectArrived(page, 1);
  const rows = await exported(await openDesk(browser));
  expect(rows.filter((row) => Number(row.decision_ms) === decision_ms)).toHaveLength(1);
}

for (const [part, word] of [
  ["web server", "thinlab serve"],
  ["database", "postgres"],
] as const) {
  test(`the ${part} is killed as an answer is sent`, async ({ page, browser }) => {
    await reachFirstTrial(page);
    await hearBoth(page);
    const sent = page.waitForRequest("**/api/participation/votes");
    const told = [says(page, LOST), says(page, BACK)];
    process.kill(keptProcess(word), "SIGKILL");
    await answer(page, "first");
    const { decision_ms } = (await sent).postDataJSON() as { decision_ms: number };
    await Promise.all(told);
    await trialShown(page, 2);
    await expectStoredOnce(page, browser, decision_ms);
  });
}

test("the lab host is killed, and who answers does not notice", async ({ page, browser }) => {
  await reachFirstTrial(page);
  await hearBoth(page);
  const sent = page.waitForRequest("**/api/participation/votes");
  process.kill(keptProcess("lab-agent boot"), "SIGKILL");
  await answer(page, "first");
  const { decision_ms } = (await sent).postDataJSON() as { decision_ms: number };
  await trialShown(page, 2);
  await expectStoredOnce(page, browser, decision_ms);
});

test("the web server is killed before a trial is fetched", async ({ page }) => {
  await join(page);
  const told = [says(page, LOST), says(page, BACK)];
  await checkSound(page, () => process.kill(keptProcess("thinlab serve"), "SIGKILL"));
  await Promise.all(told);
  await trialShown(page, 1);
});

test("a page that is closed before its answer arrived sends it when opened again", async ({
  page,
  context,
  browser,
}) => {
  await reachFirstTrial(page);
  await hearBoth(page);
  await context.setOffline(true);
  const sent = page.waitForRequest("**/api/participation/votes");
  await answer(page, "second");
  const { decision_ms } = (await sent).postDataJSON() as { decision_ms: number };
  await says(page, LOST);
  await page.close();
  await context.setOffline(false);
  const again = await context.newPage();
  await again.goto(`${stack().url}/s/demo`);
  await trialShown(again, 2);
  await expectStoredOnce(again, browser, decision_ms);
});
