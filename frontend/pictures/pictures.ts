// What the README shows: a listening trial, a typing trial, the console with a switch
// that is turned, and results; each in light and dark.
// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { openDesk, openPage, PASSWORD } from "../e2e/desk.ts";
import { Listener } from "../e2e/listener.ts";
import { drawnEvent, endDemo, flip, startDemo } from "../e2e/presenter.ts";
import { stack } from "../e2e/stack.ts";
import { begin, joinToType, LINE, typed } from "../e2e/typist.ts";
import { Reel } from "../film/reel.ts";

const FOLDER = process.env.THINLAB_PICTURES ?? "pictures";
const BACKEND = resolve(import.meta.dirname, "../../backend");
const SCHEMES = ["light", "dark"] as const;
const VIEWPORT = { width: 1280, height: 800 };
/** Charts with something in them; and a switch with what was before it and what comes after. */
const CHARTS_FILL_S = 15;
const BEFORE_S = 2;
const AFTER_S = 6;
const BOTS = 60;

/** What is pictured is time. */
const linger = (page: Page, seconds: number) => page.waitForTimeout(1000 * seconds);

async function picture(page: Page, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme });
    // Charts are drawn anew at their next moment.
    await linger(page, 1);
    const path = join(FOLDER, `${name}-${colorScheme}.png`);
    await page.screenshot({ path, animations: "disabled" });
  }
}

test.use({ viewport: VIEWPORT });

test("a listening trial", async ({ page }) => {
  const listener = await Listener.at(page, { slug: "demo" });
  await listener.consent();
  await listener.goOn("trial");
  const [trial] = listener.trials;
  if (!trial) throw new Error("No trial is open.");
  await listener.hear(trial);
  await picture(page, "listening");
});

test("a typing trial", async ({ page }) => {
  await joinToType(page);
  await begin(page, "typing.begin.first");
  await page.keyboard.type(LINE.slice(0, -6), { delay: 80 });
  await typed(page, LINE.slice(0, -7));
  await picture(page, "typing");
});

test("the console, and a switch that is turned", async ({ browser }) => {
  const console = await startDemo(browser);
  await console.setViewportSize(VIEWPORT);
  await linger(console, CHARTS_FILL_S);
  await picture(console, "console");
  for (const colorScheme of SCHEMES) {
    await console.emulateMedia({ colorScheme });
    await linger(console, BEFORE_S);
    const before = await drawnEvent(console);
    const reel = await Reel.of(console);
    await linger(console, BEFORE_S);
    await flip(console, "Bundling", "A");
    await expect.poll(() => drawnEvent(console)).toBeGreaterThan(before);
    await linger(console, AFTER_S);
    await reel.stop();
    reel.keep(join(FOLDER, `switch-${colorScheme}`));
    await flip(console, "Bundling", "A");
    await linger(console, AFTER_S);
  }
  await endDemo(console);
  await console.context().close();
});

test("results", async ({ browser }) => {
  const desk = await openDesk(browser);
  const bots = ["bots", "run", "--study", "demo", "--count", String(BOTS), "--url", stack().url];
  execFileSync(join(BACKEND, ".venv/bin/thinlab"), bots, {
    env: { ...process.env, THINLAB_PASSWORD: PASSWORD },
    stdio: ["ignore", "ignore", "inherit"],
  });
  await openPage(desk, "demo", "Results");
  await desk.getByText("Bots", { exact: true }).click();
  await expect(desk.getByText(/rehearsal/).first()).toBeVisible();
  await desk.waitForLoadState("networkidle");
  await desk.setViewportSize(VIEWPORT);
  const words = desk.getByRole("heading", { name: "In words" });
  await words.evaluate((heading) => heading.scrollIntoView());
  await picture(desk, "results");
});
