// Several sounds on one page, each rated beside the reference (ITU-R BS.1534-3): heard, switched,
// rated by pointer and by keys, kept over a reload, and found in the export.
// SPDX-License-Identifier: Apache-2.0
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import type { VoteCast } from "../src/api/generated.ts";
import english from "../src/language/texts/en.ts";
import { expectAccessible } from "./accessible.ts";
import { openDesk } from "./desk.ts";
import { Listener } from "./listener.ts";
import { stack, until } from "./stack.ts";
import { shortened, throughUs } from "./through.ts";
import { exported } from "./votes.ts";

const SLUG = "mushra";
const SOUNDS = 5;
const PAGES = 5;
const SIZES = [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
] as const;

/** Both widths of what is shown; with a folder to put them into, as pictures, too. */
async function expectFit(page: Page, name: string): Promise<void> {
  const folder = process.env.THINLAB_SCREENSHOTS;
  for (const size of SIZES.toReversed()) {
    await page.setViewportSize(size);
    await expectAccessible(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(wide, `${name} at ${size.width}`).toBeLessThanOrEqual(size.width);
    if (!folder) continue;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}-${size.width}.png`), fullPage: true });
  }
}

async function recorded(desk: Page): Promise<void> {
  const path = `${stack().url}/api/researcher/studies/${SLUG}/record`;
  const ordered = await desk.request.post(path, { headers: { Origin: stack().url } });
  expect(ordered.status()).toBe(202);
  await until(async () => {
    const answer = await desk.request.get(`${stack().url}/api/studies/${SLUG}`);
    return ((await answer.json()) as { state: string }).state === "open";
  });
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a page of sounds is heard, rated and stored as one", async ({ page, context, browser }) => {
  const desk = await openDesk(browser);
  await recorded(desk);
  await throughUs(context, shortened);
  const cast: VoteCast[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/participation/votes")) cast.push(request.postDataJSON());
  });
  const listener = await Listener.at(page, { slug: SLUG });
  await listener.consent();
  await listener.goOn("trial");
  await expect(page.getByTestId("sound")).toHaveCount(SOUNDS);
  await expectFit(page, "rated-begun");

  const send = button(page, english["answer.send"]);
  const scores = page.getByTestId("score");
  // Keys: a digit plays that sound, 0 the reference; arrows move a score.
  await page.locator("h1").press("2");
  await expect(button(page, "Sound 2")).toHaveAttribute("aria-pressed", "true");
  await page.locator("h1").press("0");
  await expect(button(page, english["player.reference"])).toHaveAttribute("aria-pressed", "true");
  await scores.first().press("Home");
  await scores.first().press("ArrowRight");
  await expect(scores.first()).toHaveAttribute("aria-valuetext", "1, Bad");
  await scores.nth(1).press("End");
  await expect(scores.nth(1)).toHaveAttribute("aria-valuetext", "100, Excellent");
  await expect(scores.nth(2)).toHaveAttribute("aria-valuetext", english["rated.none"]);
  await expect(send).toBeDisabled();

  // What was rated is still there after the page was loaded again.
  await page.reload();
  await expect(scores.nth(1)).toHaveAttribute("aria-valuetext", "100, Excellent");
  const [first] = listener.trials;
  if (!first) throw new Error("No trial was opened.");
  await listener.hear(first);
  await expect(send).toBeDisabled();
  for (const place of [2, 3, 4]) await scores.nth(place).fill(String(20 * place));
  await expect(send).toBeEnabled();
  await expectFit(page, "rated");
  await listener.send();
  await listener.goOn();

  expect(cast).toHaveLength(PAGES);
  expect(cast[0]?.ratings?.map(({ score }) => score)).toEqual([1, 100, 40, 60, 80]);
  for (const { account } of cast[0]?.ratings ?? []) {
    expect(account.covered_first?.length).toBeGreaterThan(0);
    expect(account.covered_x?.length).toBeGreaterThan(0);
  }
  // Nobody sees votes, exports among them, before the study is over, or shown by hand.
  const unblind = `${stack().url}/api/researcher/studies/${SLUG}/unblind`;
  const reason = { headers: { Origin: stack().url }, data: { reason: "For this test." } };
  expect((await desk.request.post(unblind, reason)).status()).toBe(204);
  const rows = (await exported(desk, "export", SLUG)).filter(
    (row) => Number(row.decision_ms) === cast[0]?.decision_ms,
  );
  expect(rows.map(({ score }) => Number(score))).toEqual([1, 100, 40, 60, 80]);
  expect(new Set(rows.map((row) => row.first_condition)).size).toBe(SOUNDS);
});
