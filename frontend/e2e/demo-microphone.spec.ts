// The presenter's microphone in Chromium, whose made-up one beeps once a second.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page } from "@playwright/test";
import { chromium } from "./chromium.ts";
import type {} from "./soundPage.ts";
import { test } from "./soundRoom.ts";

const flags = ["--use-fake-device-for-media-stream", "--deny-permission-prompts"];
test.use({ launchOptions: { ...chromium, args: [...(chromium.args ?? []), ...flags] } });

const at = (page: Page) => page.evaluate(() => sound.microphone.view().at);

test("it reaches the lab, also after the server was started anew", async ({
  page,
  context,
  room,
}) => {
  await context.grantPermissions(["microphone"]);
  await room.enter(page);
  await page.evaluate(() => sound.microphone.start());
  await expect.poll(() => at(page)).toBe("live");
  await expect.poll(async () => (await room.spoken()).loudest).toBeGreaterThan(1_000);
  await expect
    // The browser's false microphone beeps once a second: looking once a second can miss it for ever.
    .poll(() => page.evaluate(() => sound.microphone.view().level_share), { intervals: [70] })
    .toBeGreaterThan(0.05);

  await room.kill();
  await expect.poll(() => at(page)).toBe("away");
  await room.revive();
  await expect.poll(async () => (await room.spoken()).loudest).toBeGreaterThan(1_000);

  await page.evaluate(() => sound.microphone.stop());
  expect(await at(page)).toBe("off");
});

test("where the browser gives it to nobody, the page says what to do", async ({ page, room }) => {
  await room.enter(page);
  await page.evaluate(() => sound.microphone.start());
  expect(await at(page)).toBe("refused");
  const reason = await page.evaluate(() => sound.microphone.view().reason);
  expect(reason).toContain("Allow it");
});
