// A telephone's way: touched, narrow, on a slow network, asleep, called in the
// middle of a sound. What an audience's phone does when it wakes: demo-killed.spec.ts.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page, test } from "@playwright/test";
import english from "../src/language/texts/en.ts";
import { Listener } from "./listener.ts";
import { asleep, called, canBeCalled, deviceGone, expectToFit, PHONE } from "./phone.ts";
import { endEachDemo, joinDemo, joinPath, startDemo } from "./presenter.ts";
import { stack } from "./stack.ts";
import { begin, button, done, joinToType, LINE, typed } from "./typist.ts";
import { answer, checkSound, join, reachFirstTrial, trialShown } from "./walk.ts";

test.use(PHONE);
endEachDemo();

/** So long after something that the other end of any link has given it up, or asked for it. */
const after = (since_ms: number, ms: number) =>
  expect.poll(() => Date.now() - since_ms).toBeGreaterThan(ms);

const held = (page: Page) => page.getByText(english["player.blocked.title"]);
const startSound = (page: Page) => button(page, "player.blocked.start").tap();

test("a trial by touch alone, and no page is wider than the phone", async ({ page }) => {
  await page.goto(stack().url);
  await page.getByRole("button", { name: "Plain TCP" }).waitFor();
  await expectToFit(page);
  await page.goto(`${stack().url}/s/demo`);
  await page.getByRole("checkbox", { name: /agree/ }).tap();
  await expectToFit(page);
  await page.getByRole("button", { name: "Begin" }).tap();
  await page.getByRole("button", { name: "Play the voice" }).tap();
  await page.getByRole("button", { name: "Stop the voice" }).waitFor();
  await page.getByRole("checkbox", { name: /hear the voice/ }).tap();
  await expectToFit(page);
  await page.getByRole("button", { name: "Continue", exact: true }).tap();
  await trialShown(page, 1);
  await page.getByText("Choose the part to repeat").tap();
  await page.getByText("Continue on another device").tap();
  await expectToFit(page);
  await page.getByRole("button", { name: "First", exact: true }).tap();
  await expect(page.getByText(/at least (\d+) of.* first \1 s/)).toBeVisible();
  await page.getByRole("button", { name: "Second", exact: true }).tap();
  await expect(page.getByText("You can answer now")).toBeVisible();
  await page.getByText("No difference").tap();
  await expectToFit(page);
  await page.getByRole("button", { name: "Send answer" }).tap();
  await trialShown(page, 2);
});

test("who has no keyboard is led to a device that has one", async ({ page }) => {
  await page.goto(`${stack().url}/s/typing`);
  await page.getByRole("checkbox", { name: english["consent.agree"] }).tap();
  await button(page, "consent.begin").tap();
  await expect(page.getByText(english["check.keyboard.none.text"])).toBeVisible();
  await expectToFit(page);
  await expect(button(page, "go.on")).toBeDisabled();
});

test("on a slow network the page says how far it is, and goes on by itself", async ({ page }) => {
  await join(page);
  const devtools = await page.context().newCDPSession(page);
  const network = (down_kbit_per_s: number, latency_ms: number) =>
    devtools.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: latency_ms,
      downloadThroughput: (down_kbit_per_s * 1000) / 8,
      uploadThroughput: (down_kbit_per_s * 1000) / 8,
    });
  await network(1_000, 400);
  await checkSound(page);
  await expect(page.getByText(english["trial.loading"])).toBeVisible();
  const share = page.getByRole("progressbar");
  const loaded = async () => Number(await share.getAttribute("aria-valuenow"));
  await expect.poll(loaded).toBeGreaterThan(0);
  await expectToFit(page);
  // Where reception is better.
  await network(-1, 0);
  await trialShown(page, 1);
});

test("a call in the middle of the sound: each page says so, and one touch goes on", async ({
  page,
}) => {
  await canBeCalled(page);
  const listener = await Listener.at(page, { slug: "forms", doesHeadphoneTest: true });
  await listener.consent();
  await button(page, "sound.play").tap();
  await button(page, "sound.stop").waitFor();
  await called(page);
  await expect(page.getByText(english["sound.blocked.title"])).toBeVisible();
  await expectToFit(page);
  await button(page, "sound.play").tap();
  await button(page, "sound.stop").tap();
  await listener.goOn("round");

  await button(page, "headphones.play.huggins").tap();
  await expect(page.getByText("Noise 1", { exact: false }).first()).toBeVisible();
  await called(page);
  await expect(held(page)).toBeVisible();
  await expectToFit(page);
  await startSound(page);
  await expect(held(page)).toHaveCount(0);
  await expect(page.locator("fieldset")).toBeEnabled();
});

test("a call in the middle of a trial: nothing counts as heard until it goes on", async ({
  page,
}) => {
  await canBeCalled(page);
  await reachFirstTrial(page);
  await page.getByRole("button", { name: "First", exact: true }).tap();
  await expect(page.getByText("first 1 s")).toBeVisible();
  await called(page);
  await expect(held(page)).toBeVisible();
  await expectToFit(page);
  const told = page.getByText(/So far: first/);
  const before = await told.textContent();
  await after(Date.now(), 2_000);
  expect(await told.textContent()).toBe(before);
  await startSound(page);
  await expect(held(page)).toHaveCount(0);
  await expect(page.getByText(/at least (\d+) of.* first \1 s/)).toBeVisible();
  await page.getByRole("button", { name: "Second", exact: true }).tap();
  await expect(page.getByText("You can answer now")).toBeVisible();
  await answer(page, "second");
  await trialShown(page, 2);
});

test("headphones that are gone in the middle of a trial: the page says so, and asks for the sound anew", async ({
  page,
}) => {
  await reachFirstTrial(page);
  await page.getByRole("button", { name: "First", exact: true }).tap();
  await expect(page.getByText("first 1 s")).toBeVisible();
  await deviceGone(page);
  await expect(held(page)).toBeVisible();
  await expectToFit(page);
  await startSound(page);
  await expect(held(page)).toHaveCount(0);
  await expect(page.getByText(/at least (\d+) of.* first \1 s/)).toBeVisible();
});

test("a phone that sleeps in the middle of a trial, or of typing, goes on when it wakes", async ({
  browser,
}) => {
  const opened = async (browser: Browser) => (await browser.newContext()).newPage();
  const [listening, typing] = [await opened(browser), await opened(browser)];
  await reachFirstTrial(listening);
  await listening.getByRole("button", { name: "First", exact: true }).tap();
  await joinToType(typing);
  await begin(typing, "typing.begin.first");
  await typing.keyboard.type(LINE.slice(0, 7));
  await typed(typing, LINE.slice(0, 7).trim());
  // Longer than the silence after which a link is given up.
  await asleep(listening, () => asleep(typing, () => after(Date.now(), 5_000)));
  await expect(typing.getByTestId("cover")).toHaveCount(0);
  await typing.getByTestId("glass").tap();
  await typing.keyboard.type(LINE.slice(7));
  await typed(typing, LINE);
  await expectToFit(typing);
  await done(typing);
  await listening.getByRole("button", { name: "Second", exact: true }).tap();
  await expect(
    listening.getByText(/at least (\d+) of.* second \1 s|You can answer now/),
  ).toBeVisible();
  if (await listening.getByText(/So far: first/).isVisible()) {
    await listening.getByRole("button", { name: "First", exact: true }).tap();
  }
  await expect(listening.getByText("You can answer now")).toBeVisible();
  await answer(listening, "first");
  await trialShown(listening, 2);
  for (const page of [listening, typing]) await page.context().close();
});

test("an audience's phone: narrow, and its lock screen stops the sound", async ({ browser }) => {
  const page = await startDemo(browser);
  const phone = await joinDemo(browser, await joinPath(page));
  await canBeCalled(phone);
  await phone.reload();
  const listen = phone.getByRole("button", { name: "Listen" });
  await listen.waitFor();
  await expectToFit(phone);
  await listen.tap();
  await expect(phone.getByText("You hear A.")).toBeVisible();
  await expectToFit(phone);
  await called(phone);
  await expect(phone.getByText(english["audience.sound.blocked"])).toBeVisible();
  await listen.tap();
  await expect(phone.getByText("You hear A.")).toBeVisible();
  await phone.getByTestId("hearing").getByRole("button", { name: /^B/ }).tap();
  await expect(phone.getByText("You hear B.")).toBeVisible();
  await phone.context().close();
});

test("of five tabs of one phone the first lets the others go on, and says so", async ({
  browser,
}) => {
  const page = await startDemo(browser);
  const path = await joinPath(page);
  const first = await joinDemo(browser, path);
  const another = async () => {
    const tab = await first.context().newPage();
    await tab.goto(`${stack().url}${path}?language=en`);
    await tab.getByRole("button", { name: "Listen" }).waitFor();
    return tab;
  };
  const sentAway = (tab: Page) =>
    tab.getByRole("heading", { name: english["audience.elsewhere.title"] });
  const second = await another();
  const newer = [await another(), await another(), await another()];
  await expect(sentAway(first)).toBeVisible();
  await expectToFit(first);
  await button(first, "audience.elsewhere.here").tap();
  await expect(sentAway(second)).toBeVisible();
  for (const tab of [first, ...newer]) {
    await expect(tab.getByRole("button", { name: "Listen" })).toBeVisible();
  }
  await first.context().close();
});
