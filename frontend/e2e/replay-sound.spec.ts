// The sound of a replay in Chromium, from real lanes: what is heard is the lane that is
// chosen, where the replay is, and a switch leaves no gap.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { endDemo, endEachDemo, expectStage, hearButton, RUNNING, startDemo } from "./presenter.ts";
import {
  DIFFERENT_SAMPLES,
  differAt,
  forget,
  heard,
  kept,
  listenIn,
  longestOdd,
  offsetOf,
  RATE_HZ,
  record,
  share,
} from "./replayTap.ts";
import { stack } from "./stack.ts";

/** Of a demo: a piece of its sound, and some more. */
const LENGTH_MS = 14_000;
const SECOND_TAKE_MS = 4_000;
/** Two fades of 5 ms, and what lies between. */
const SWITCH_SAMPLES = 1_000;
/** The page says by tenths of a second where it is, and asks ten times a second. */
const NEAR_SAMPLES = 0.5 * RATE_HZ;
const HEARD_SAMPLES = RATE_HZ;
/** For what is heard of both lanes, however slowly it is asked for. */
const REST_SAMPLES = 6 * RATE_HZ;

endEachDemo();

const word = (page: Page) => page.getByRole("region", { name: "Sound" }).getByRole("status");
const moment = (page: Page) => page.getByRole("slider", { name: "Moment of the demo" });

/** A demo of some seconds over a path that loses much, and of some more with another lane; its
 * replay's address. */
async function held(page: Page): Promise<string> {
  await page.getByRole("button", { name: "The paper: 130 ms, 5 %" }).click();
  const length_ms = async () => {
    const { demos } = await (await page.request.get(`${stack().url}/api/demos`)).json();
    return demos[0].length_ms;
  };
  await expect.poll(length_ms).toBeGreaterThan(LENGTH_MS);
  await page
    .getByRole("group", { name: /How many lanes/ })
    .getByText("3")
    .click();
  await expectStage(page, `${RUNNING}, take 2`);
  const second_ms = await length_ms();
  await expect.poll(length_ms).toBeGreaterThan(second_ms + SECOND_TAKE_MS);
  await endDemo(page);
  await page.getByRole("button", { name: "Make a link" }).click();
  return page.getByRole("textbox").inputValue();
}

test("a replay sounds as each lane did, and is switched without a gap", async ({ browser }) => {
  const page = await startDemo(browser);
  const link = await held(page);
  const context = await browser.newContext({ bypassCSP: true });
  const anybody = await context.newPage();
  await listenIn(anybody);
  await anybody.goto(link);
  await expect(word(anybody)).toContainText("Play");
  await expectAccessible(anybody);
  const base = link.replace("/demo/replay/", "/api/shared-demos/");
  const { takes } = await (await anybody.request.get(base)).json();
  const { began_at_ms } = takes[0].sound;
  const lanes = [await kept(anybody, base, 0), await kept(anybody, base, 1)] as const;
  const differs = differAt(...lanes, 2 * RATE_HZ, LENGTH_MS * (RATE_HZ / 1000) - REST_SAMPLES);
  expect(differs, "where the lanes sound differently").toBeGreaterThan(0);

  // By the slider, as who looks for it, and a little before it.
  const seek_ms = began_at_ms + (1000 * differs) / RATE_HZ - 1_500;
  await moment(anybody).fill(String(Math.round(seek_ms / 100) * 100));
  await record(anybody);
  await anybody.getByRole("button", { name: "Play" }).click();
  await expect(word(anybody)).toHaveText("You hear lane A.");
  await expect(hearButton(anybody, "A")).toHaveAttribute("aria-pressed", "true");
  // Nothing is looked at before it stands: the demo is short, and a busy machine slow.
  const until = differs + DIFFERENT_SAMPLES;
  const shown = async () => {
    const at_ms = Number(await moment(anybody).inputValue()) - began_at_ms;
    return (at_ms * RATE_HZ) / 1000;
  };
  await expect.poll(shown).toBeGreaterThan(until + NEAR_SAMPLES);
  await anybody.keyboard.press("2");
  await expect(word(anybody)).toHaveText("You hear lane B.");
  const switched = await shown();
  await expect.poll(shown).toBeGreaterThan(switched + HEARD_SAMPLES + NEAR_SAMPLES);
  await anybody.getByRole("button", { name: "Pause" }).click();
  await expect(word(anybody)).toContainText("Play");

  const pcm = await heard(anybody);
  const offset = offsetOf(pcm, lanes[0]);
  expect(share(pcm, lanes[0], offset, differs, until), "lane A").toBe(1);
  expect(share(pcm, lanes[1], offset, differs, until), "not lane B").toBeLessThan(0.7);
  const last = offset + pcm.findLastIndex((sample) => sample !== 0) - SWITCH_SAMPLES;
  expect(share(pcm, lanes[1], offset, last - HEARD_SAMPLES, last), "lane B").toBe(1);
  expect(longestOdd(pcm, lanes, offset, differs, last), "a gap").toBeLessThan(SWITCH_SAMPLES);
  // What is shown is what was heard.
  expect(Math.abs(last - (await shown()))).toBeLessThan(NEAR_SAMPLES);

  await anybody.getByRole("button", { name: "Play" }).click();
  await anybody.getByText("2 ×").click();
  await expect(word(anybody)).toHaveText("There is sound at 1 × only.");
  await forget(anybody);
  await expect.poll(async () => (await heard(anybody)).length).toBeGreaterThan(RATE_HZ / 5);
  expect(Math.max(...(await heard(anybody)).slice(RATE_HZ / 10))).toBe(0);

  await anybody.getByText("Takes laid over each other").click();
  const figures = anybody.getByRole("region", { name: "Figures of the chosen takes" });
  await expect(figures.getByRole("columnheader")).toHaveCount(1 + 2 + 3);
  await expect(figures.getByRole("columnheader").nth(5)).toContainText("Take 2, lane C");
  await expect(figures.getByRole("row", { name: /Loss, forward/ })).toContainText("%");
  await expectAccessible(anybody);
  await anybody.setViewportSize({ width: 390, height: 844 });
  await expectAccessible(anybody);

  await page.getByRole("button", { name: "Take it back" }).click();
  const piece = () => anybody.request.get(`${base}/takes/1/lanes/0/sound/0`);
  await expect.poll(async () => (await piece()).status()).toBe(404);
  await context.close();
});
