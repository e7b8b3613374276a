// A lab that is behind: who comes waits and comes in by itself, who types is held, a
// session that was spoilt is typed again, and the results say so.
// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { type Browser, expect, type Page, test } from "@playwright/test";
import type { InstallationHealth } from "../src/api/generated.ts";
import english from "../src/language/texts/en.ts";
import norwegian from "../src/language/texts/nb.ts";
import { expectAccessible } from "./accessible.ts";
import { openDesk } from "./desk.ts";
import { Pictures } from "./pictures.ts";
import { childrenOf, keptProcess, type Started, startOne, tell } from "./stack.ts";
import { begin, button, done, joinToType, LINE, screen, typed, vote } from "./typist.ts";

/** From a share of it on, people are held and turned away. A busy machine that runs tests
 * is late by less; the lab gives a guest up that is silent for four times as long. */
const LIMIT_MS = 3_000;
const STUDY = join(import.meta.dirname, "behind");

let lab: Started;
let others: string | undefined;

test.beforeAll(async () => {
  lab = await startOne({
    command: [".venv/bin/thinlab", "run"],
    studies: [STUDY],
    open: ["behind"],
    environment: { THINLAB_HOST_WAIT_LIMIT_MS: String(LIMIT_MS) },
  });
  others = process.env.THINLAB_E2E_STACKS;
  tell(Array(8).fill(lab.stack));
});

test.afterAll(async () => {
  process.env.THINLAB_E2E_STACKS = others;
  await lab?.stop();
});

/** Stops the guests of the lab in real time, as a machine does that has no time for them;
 * the returned function lets them go on. */
function standstill(): () => void {
  const guests = childrenOf(keptProcess("--clock real"));
  expect(guests).not.toEqual([]);
  for (const guest of guests) process.kill(guest, "SIGSTOP");
  return () => {
    for (const guest of guests) process.kill(guest, "SIGCONT");
  };
}

/** The pages are there; both at once, so that the lab need not stand still for long. */
async function seen(pages: readonly Page[], texts: readonly string[], name: string) {
  await Promise.all(
    pages.map(async (page, at) => {
      await expect(page.getByText(texts[at] ?? "")).toBeVisible();
      await new Pictures(`behind-${at === 0 ? "en" : "nb"}`).take(page, name);
    }),
  );
}

/** What the health page says of the room to type. */
async function room(desk: Page): Promise<string | undefined> {
  const answer = await desk.request.get(`${lab.stack.url}/api/researcher/health`);
  const { parts } = (await answer.json()) as InstallationHealth;
  return parts.find(({ name }) => name === "Room to type")?.level;
}

async function norwegianTypist(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext({ locale: "nb-NO" })).newPage();
  await joinToType(page, undefined, "behind", norwegian);
  return page;
}

test("a lab that is behind lets nobody begin, holds who types, and repeats what it spoilt", async ({
  page,
  browser,
}) => {
  await joinToType(page, undefined, "behind");
  const other = await norwegianTypist(browser);
  const both = [page, other] as const;

  const desk = await openDesk(browser);
  let goOn = standstill();
  await expect.poll(() => room(desk)).toMatch(/^(look|act)$/);
  await button(page, "typing.begin.first").click();
  await button(other, "typing.begin.first", norwegian).click();
  await seen(both, [english["busy.title"], norwegian["busy.title"]], "busy");
  goOn();
  // Nobody presses anything: the pages come again.
  await Promise.all(
    both.map((one) => expect(one.locator("[data-testid=glass][data-focused=true]")).toBeVisible()),
  );
  await Promise.all(both.map((one) => expect(one.getByTestId("cover")).toHaveCount(0)));

  await page.keyboard.type("A thin ");
  await typed(page, "A thin ");
  goOn = standstill();
  await page.keyboard.type("s");
  const held = [english["terminal.held.title"], norwegian["terminal.held.title"]];
  await expect(page.getByText(held[0] ?? "")).toBeVisible();
  const left = await page.getByRole("timer").textContent();
  await seen(both, held, "held");
  await page.keyboard.type("unseen");
  await expect(page.getByRole("timer")).toHaveText(left ?? "");
  goOn();
  await Promise.all(both.map((one) => expect(one.getByTestId("cover")).toHaveCount(0)));
  await page.keyboard.type("tream");
  await typed(page, "A thin stream");
  await expect(screen(page)).not.toContainText("unseen");
  await done(page);
  await expect(page.getByText(english["void.host-behind"])).toBeVisible();
  await expectAccessible(page);
  await new Pictures("behind-en").take(page, "void");

  for (const which of ["void.begin", "typing.begin.second"] as const) {
    await begin(page, which);
    await page.keyboard.type(LINE);
    await typed(page, LINE);
    await done(page);
  }
  await vote(page, "No difference");
  await expect(page.getByRole("heading", { name: english["thanks.title"] })).toBeFocused();

  await desk.goto(`${lab.stack.url}/researcher/studies/behind/results`);
  await expect(desk.getByText("Our own machines had a hand in these votes")).toBeVisible();
  await expect(desk.getByRole("region", { name: "Typing sessions" })).toContainText(
    "1void for what our machines did",
  );
  await expectAccessible(desk);
  const pictures = new Pictures("behind-desk");
  await pictures.take(desk, "results");
  await desk.getByRole("link", { name: "Health" }).click();
  const card = desk.getByRole("listitem").filter({ hasText: "Room to type" });
  await expect(card).toContainText(/held [1-9]\d* times, asked to come again [1-9]\d* times/);
  await expect(desk.getByRole("listitem").filter({ hasText: "Punctuality" })).toContainText(
    /[1-9]\d* more were void/,
  );
  await expectAccessible(desk);
  await pictures.take(desk, "health");
});
