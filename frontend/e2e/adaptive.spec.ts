// An adaptive block in the browser: each pair follows from the answers, a reload and a second tab
// change nothing, and the thresholds of bots are at the researcher's desk.
// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import type { HeardTrial } from "../src/api/generated.ts";
import { expectAccessible } from "./accessible.ts";
import { openDesk, openPage, PASSWORD } from "./desk.ts";
import { Listener } from "./listener.ts";
import { Pictures } from "./pictures.ts";
import { recorded } from "./secrets.ts";
import { stack } from "./stack.ts";
import { type Passing, shortened, throughUs } from "./through.ts";

const SLUG = "quest-loss";
const TRIALS = 16;
const BOTS = 6;
const BACKEND = resolve(import.meta.dirname, "../../backend");

test.describe.configure({ mode: "serial" });

let desk: Page;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  desk = await openDesk(browser);
  await recorded(desk, SLUG);
});

/** Sizes of the recordings as they pass; of each only the beginning is handed on. */
async function sizesOf(context: BrowserContext): Promise<Set<number>> {
  const sizes = new Set<number>();
  await throughUs(context, (passing: Passing) => {
    sizes.add(passing.body.byteLength);
    return shortened(passing);
  });
  return sizes;
}

test("a staircase is taken whole, over a reload and beside a second tab", async ({
  page,
  context,
}) => {
  test.setTimeout(300_000);
  const sizes = await sizesOf(context);
  const pictures = new Pictures("adaptive");
  const opened: HeardTrial[][] = [];
  page.on("response", async (response) => {
    if (new URL(response.url()).pathname !== "/api/participation/trials" || !response.ok()) return;
    const answer = (await response.json().catch(() => null)) as { trials: HeardTrial[] } | null;
    if (answer) opened.push(answer.trials);
  });
  const listener = await Listener.at(page, { slug: SLUG, choose: ({ position }) => position % 2 });
  await listener.consent();
  await listener.goOn("introduction");
  await pictures.take(page, "introduction");
  await listener.goOn("trial", ({ position }) => position === 3);
  await pictures.take(page, "trial");
  await expectAccessible(page);
  // What follows the open trial hangs on its answer: nobody can have it.
  expect(new Set(opened.map((trials) => trials.length))).toEqual(new Set([1]));

  const before = listener.trials.find(({ position }) => position === 3)?.trial_token;
  await page.reload();
  await listener.goOn("trial", ({ position }) => position === 3);
  expect(opened.at(-1)?.[0]?.trial_token).toBe(before);

  // Another tab of the same browser goes on with the same trial.
  const tab = await context.newPage();
  await tab.goto(`${stack().url}/s/${SLUG}`);
  await expect(tab.getByRole("heading", { name: `Trial 3 of ${TRIALS}` })).toBeVisible();
  await tab.close();

  await listener.goOn("rest");
  await listener.goOn();
  expect(sizes.size, "all recordings are of one size").toBe(1);
  await pictures.take(page, "thanks");
  const positions = listener.trials.map(({ position }) => position);
  expect(positions).toEqual(Array.from({ length: TRIALS }, (_, number) => number + 1));
});

test("thresholds of bots are drawn and told", async () => {
  test.setTimeout(300_000);
  await promisify(execFile)(
    ".venv/bin/thinlab",
    ["bots", "run", "--url", stack().url, "--study", SLUG, "--count", String(BOTS)].concat([
      "--threshold",
      "0.03",
    ]),
    { cwd: BACKEND, env: { ...process.env, THINLAB_PASSWORD: PASSWORD } },
  );
  await openPage(desk, SLUG, "Results");
  await desk.getByText("Bots", { exact: true }).click();
  const card = desk.getByRole("region", { name: "Thresholds" });
  await expect(card.getByText(/the typical listener's threshold is/)).toBeVisible();
  await expect(card.locator("figure")).toHaveCount(BOTS);
  await card.getByText("Participant by participant").click();
  await expect(card.getByRole("row")).toHaveCount(BOTS + 1);
  await expectAccessible(desk);
  await new Pictures("adaptive-desk").take(desk, "results");
});
