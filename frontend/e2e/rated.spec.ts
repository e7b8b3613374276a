// Several sounds on one page, each rated beside the reference (ITU-R BS.1534-3): heard, switched,
// rated by pointer and by keys, kept over a reload, and found in the export.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page, test } from "@playwright/test";
import english from "../src/language/texts/en.ts";
import { votesCast } from "./cast.ts";
import { openDesk } from "./desk.ts";
import { expectFit } from "./fit.ts";
import { Listener } from "./listener.ts";
import { recorded } from "./secrets.ts";
import { stack } from "./stack.ts";
import { shortened, throughUs } from "./through.ts";
import { exported } from "./votes.ts";

const SLUG = "mushra";
const SOUNDS = 5;
const PAGES = 5;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a page of sounds is heard, rated and stored as one", async ({ page, context, browser }) => {
  const desk = await openDesk(browser);
  await recorded(desk, SLUG);
  await throughUs(context, shortened);
  const cast = await votesCast(page);
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
