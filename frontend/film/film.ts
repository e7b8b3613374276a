// A demo as a new presenter gives it, from the printed address on: filmed for a
// minute, then each page's picture at a beamer's and a phone's width.
// SPDX-License-Identifier: Apache-2.0
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page, test } from "@playwright/test";
import {
  drawnEvent,
  endDemo,
  expectStage,
  flip,
  hearButton,
  joinDemo,
  joinPath,
  openDemos,
  RUNNING,
} from "../e2e/presenter.ts";
import { stack } from "../e2e/stack.ts";
import { Reel } from "./reel.ts";

const FOLDER = process.env.THINLAB_FILM ?? "demo-film";
const WIDTHS_PX = [1280, 390] as const;
const LENGTH_S = 60;

let number = 0;

/** The page whole, at each width, numbered in the order of taking. What is out of sight is
 * not drawn, so the window is made as high as the page. */
async function picture(page: Page, name: string): Promise<void> {
  number += 1;
  const before = page.viewportSize();
  for (const width of WIDTHS_PX) {
    const least_px = width > 800 ? 720 : 844;
    await page.setViewportSize({ width, height: least_px });
    const whole_px = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height: Math.max(least_px, whole_px) });
    await linger(page, 1);
    const file = `${String(number).padStart(2, "0")}-${name}-${width}.png`;
    await page.screenshot({ path: join(FOLDER, file) });
  }
  if (before) await page.setViewportSize(before);
}

/** As long as somebody who watches needs; what is filmed is time. */
const linger = (page: Page, seconds: number) => page.waitForTimeout(1000 * seconds);

/** What is filmed: listening to both, switching, blind, the room's way in. */
async function perform(page: Page, browser: Browser): Promise<void> {
  await linger(page, 3);
  await page.getByRole("button", { name: "Start the demo" }).click();
  await expectStage(page, RUNNING);
  await linger(page, 8);
  await hearButton(page, "B").click();
  await linger(page, 6);
  await page.keyboard.press("1");
  await linger(page, 4);
  await page.getByPlaceholder("A word for this moment").fill("now bundling, on A");
  await page.keyboard.press("Enter");
  await flip(page, "Bundling", "A");
  await linger(page, 8);
  await flip(page, "Bundling", "A");
  await page.getByTestId("demo-charts").scrollIntoViewIfNeeded();
  await linger(page, 6);
  await page.keyboard.press("j");
  await linger(page, 4);
  await page.keyboard.press("Escape");
  const phone = await joinDemo(browser, await joinPath(page));
  await page.getByLabel("The audience knows letters only").click();
  await phone.getByRole("button", { name: "Listen" }).click();
  await page.getByRole("button", { name: "Open the poll" }).click();
  await linger(page, 3);
  await phone.getByTestId("poll").getByRole("button", { name: "B", exact: true }).click();
  await linger(page, 3);
  await page.getByRole("button", { name: "Close the poll" }).click();
  await linger(page, 3);
  await page.getByRole("button", { name: "Reveal" }).click();
  await linger(page, 5);
  await phone.context().close();
}

test("the film", async ({ browser }) => {
  mkdirSync(FOLDER, { recursive: true });
  const page = await openDemos(browser, { width: 1280, height: 720 });
  const clicks_began_ms = Date.now();
  const reel = await Reel.of(page);
  await perform(page, browser);
  await linger(page, Math.max(0, LENGTH_S - (Date.now() - clicks_began_ms) / 1000));
  await reel.stop();
  await endDemo(page);
  await reel.develop(browser, join(FOLDER, "demo.webm"));
  process.stderr.write(`  ${reel.frames} pictures in ${reel.length_s.toFixed(1)} s\n`);
  await page.context().close();
});

test("the pictures", async ({ browser }) => {
  mkdirSync(FOLDER, { recursive: true });
  const page = await openDemos(browser);
  await picture(page, "begin");
  await page.getByRole("button", { name: "Start the demo" }).click();
  await expectStage(page, RUNNING);
  const path = await joinPath(page);
  const phone = await joinDemo(browser, path);
  await picture(phone, "audience-before");
  await phone.getByRole("button", { name: "Listen" }).click();
  await expect(phone.getByText("You hear A.")).toBeVisible();
  await flip(page, "Linear timeouts", "A");
  await expect.poll(() => drawnEvent(page)).toBeGreaterThan(1);
  await linger(page, 20);
  await picture(page, "console");
  await picture(phone, "audience");
  await page.getByText("Free settings").click();
  await picture(page, "console-free-path");
  await page.keyboard.press("j");
  await picture(page, "way-in");
  await page.keyboard.press("Escape");
  await page.getByLabel("The audience knows letters only").click();
  await page.getByRole("button", { name: "Open the poll" }).click();
  const poll = phone.getByTestId("poll");
  await poll.getByRole("button", { name: "B", exact: true }).click();
  await expect(poll.getByRole("status")).toContainText("Your vote: B");
  await picture(page, "console-blind");
  await picture(phone, "audience-poll");
  await page.getByRole("button", { name: "Reveal" }).click();
  await expect(phone.getByRole("heading", { name: "What was what" })).toBeVisible();
  await picture(phone, "audience-revealed");
  await page.getByText("Terminal (SSH)").click();
  // Blind mode began the second.
  await expectStage(page, `${RUNNING}, take 3`);
  await page.locator("[data-testid=pane] [data-testid=glass]").first().click();
  await page.keyboard.type("One keyboard, two lanes.", { delay: 90 });
  await expect(page.locator("[data-testid=pane] .xterm-rows").nth(1)).toContainText("two lanes.");
  await picture(page, "console-terminals");
  await picture(phone, "audience-terminals");
  await page.keyboard.press("F6");
  await endDemo(page);
  await picture(page, "afterwards");
  await page.getByRole("button", { name: "Make a link" }).click();
  const link = await page.getByRole("textbox").inputValue();
  await page.getByRole("link", { name: "Replay" }).click();
  await page.getByRole("slider", { name: "Moment of the demo" }).press("PageUp");
  await linger(page, 2);
  await picture(page, "replay");
  await phone.goto(link.replace(new URL(link).origin, stack().url));
  await expect(phone.getByRole("slider", { name: "Moment of the demo" })).toBeVisible();
  await picture(phone, "replay-shared");
  await page.goto(`${stack().url}/demo`);
  await expect(page.getByRole("link", { name: "Replay" }).first()).toBeVisible();
  await picture(page, "begin-again");
  await phone.context().close();
  await page.context().close();
});
