// The sound of a demo in Chromium: heard, switched without a gap, and back by
// itself after whatever can happen to it.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page } from "@playwright/test";
import { lanesOf, loudness, NOTE_RMS, starved } from "./heardSound.ts";
import { asleep } from "./phone.ts";
import type {} from "./soundPage.ts";
import { type SoundRoom, test } from "./soundRoom.ts";

const UNDISTURBED = 5;
/** Where each switch left a gap, as many as one likes would not do. */
const MOST_SWITCHES = 40;
const LOUD = 0.8 * NOTE_RMS;

const at = (page: Page) => page.evaluate(() => sound.player.view().at);
const heardLane = (page: Page) => page.evaluate(() => sound.recorder.lane());

async function play(room: SoundRoom, page: Page, whole = false): Promise<void> {
  await room.enter(page);
  await page.evaluate(() => {
    const start = () => sound.player.start();
    document.querySelector("button")?.addEventListener("click", start, { once: true });
  });
  await page.getByRole("button").click();
  await expect.poll(() => at(page)).toBe("playing");
  await page.evaluate((whole) => sound.recorder.start({ whole }), whole);
  await expect.poll(() => heardLane(page)).toBe(0);
  // A sound that begins swells first, which is no gap of a switch.
  await expect.poll(() => page.evaluate(() => sound.recorder.loudness())).toBeGreaterThan(LOUD);
}

test("a switch between lanes leaves no gap, and nothing is made up", async ({
  page,
  room,
  browserName,
}) => {
  test.skip(browserName !== "chromium", "no other browser can be recorded whole");
  await play(room, page, true);
  let undisturbed = 0;
  for (let number = 1; undisturbed < UNDISTURBED; number++) {
    expect(number, "switches").toBeLessThanOrEqual(MOST_SWITCHES);
    const lane = number % 2;
    const before = await page.evaluate(() => sound.recorder.position());
    const made_up = await page.evaluate(() => sound.made_up());
    await page.evaluate((lane) => sound.listen(lane), lane);
    await expect.poll(() => heardLane(page)).toBe(lane);
    const pcm = Float32Array.from(
      await page.evaluate((from) => sound.recorder.since(from), before),
    );
    const after = await page.evaluate(() => sound.made_up());
    // A busy machine may make the browser wait for a packet, or the recorder for the browser,
    // with or without a switch. Then it is tried again.
    if (JSON.stringify(after) !== JSON.stringify(made_up) || starved(pcm)) continue;
    undisturbed++;
    const heard = lanesOf(pcm).map((stretch) => stretch.lane);
    expect(heard, "one lane, then the other").toEqual([1 - lane, lane]);
    expect(Math.min(...loudness(pcm))).toBeGreaterThan(LOUD);
  }
});

test("where the browser wants a click first, the page knows, and one click is enough", async ({
  page,
  room,
  browserName,
}) => {
  test.skip(browserName !== "chromium", "what drives another browser counts as a click");
  await room.enter(page, "#unasked");
  await expect.poll(() => at(page)).toBe("blocked");
  await page.evaluate(() => {
    const unblock = () => sound.player.unblock();
    document.querySelector("button")?.addEventListener("click", unblock);
  });
  await page.getByRole("button").click();
  await expect.poll(() => at(page)).toBe("playing");
});

test("after a pause between takes the sound goes on by itself", async ({ page, room }) => {
  await play(room, page);
  await room.post("/end");
  await expect.poll(() => heardLane(page)).toBe(null);
  await room.post("/begin");
  await expect.poll(() => heardLane(page)).toBe(0);
  // The connection was never in doubt.
  expect(await page.evaluate(() => sound.shown)).toEqual(["opening", "playing"]);
});

test("a server that was started anew is found again", async ({ page, room }) => {
  await play(room, page);
  await room.kill();
  await expect.poll(() => at(page)).toBe("away");
  await room.revive();
  await expect.poll(() => at(page)).toBe("playing");
  expect((await room.facts()).streams).toBe(1);
});

test("a page that slept while the server was started anew comes back", async ({
  page,
  room,
  browserName,
}) => {
  test.skip(browserName !== "chromium", "no other browser can be put to sleep");
  await play(room, page);
  await asleep(page, async () => {
    await room.kill();
    await room.revive();
  });
  await expect.poll(async () => (await room.facts()).streams).toBe(1);
  await expect.poll(() => at(page)).toBe("playing");
});

test("a full server is asked again, one that refuses is not", async ({ page, room }) => {
  await room.enter(page);
  // The second: the page's socket is not back yet.
  const answers = [503, 409, 409];
  await page.route("**/offer", (route) =>
    route.fulfill({ status: answers.pop() ?? 503, json: {} }),
  );
  await page.evaluate(() => sound.player.start());
  await expect.poll(() => answers.length).toBe(0);
  await expect.poll(() => at(page)).toBe("away");
  await page.unroute("**/offer");
  await expect.poll(() => at(page)).toBe("playing");

  await page.evaluate(() => sound.player.stop());
  await expect.poll(() => at(page)).toBe("silent");
  await expect.poll(async () => (await room.facts()).streams).toBe(0);
  let asked = 0;
  await page.route("**/offer", (route) => {
    asked++;
    return route.fulfill({ status: 410, json: { title: "The demo is over." } });
  });
  await page.evaluate(() => sound.player.start());
  await expect.poll(() => at(page)).toBe("failed");
  expect(await page.evaluate(() => sound.player.view().reason)).toBe("The demo is over.");
  expect(asked).toBe(1);
});

test("what the page says of its reception reaches the server", async ({ page, room }) => {
  await play(room, page);
  await expect.poll(async () => (await room.facts()).reports).toBe(1);
});
