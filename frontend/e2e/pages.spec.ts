// Every page at a telephone's and a desk's width, in light and dark; the whole
// of a trial by keys alone; and what happens when something is not as it was.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { openDesk, openStudy } from "./desk.ts";
import { stack } from "./stack.ts";
import { answer, checkSound, join, trialShown } from "./walk.ts";

const LOOKS = [
  { width: 390, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const;

for (const { width, colorScheme } of LOOKS) {
  test.describe(`${width} px, ${colorScheme}`, () => {
    test.use({ viewport: { width, height: 844 }, colorScheme });

    test("a participant's pages are accessible", async ({ page }) => {
      await page.goto(stack().url);
      await page.getByRole("link", { name: "Begin" }).waitFor();
      await expectAccessible(page);
      await page.goto(`${stack().url}/s/demo`);
      await page.getByRole("button", { name: "Begin" }).waitFor();
      await expectAccessible(page);
      await join(page);
      await expectAccessible(page);
      await checkSound(page);
      await trialShown(page, 1);
      await page.getByText("Keyboard").click();
      await expectAccessible(page);
    });

    test("the researcher's pages are accessible", async ({ browser }) => {
      const page = await openDesk(browser);
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await expectAccessible(page);
      await openStudy(page);
      await expect(page.getByRole("img", { name: /Distribution of latency/ })).toHaveCount(3);
      await expectAccessible(page);
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await expectAccessible(page);
    });
  });
}

async function tabTo(page: Page, name: string): Promise<void> {
  const focused = () =>
    page.evaluate(() => {
      const at = document.activeElement;
      const label = at instanceof HTMLInputElement ? at.labels?.[0]?.textContent : null;
      return `${at?.getAttribute("aria-label") ?? ""} ${label ?? at?.textContent ?? ""}`;
    });
  for (let press = 0; press < 40; press++) {
    if ((await focused()).includes(name)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The Tab key does not reach "${name}".`);
}

test("a trial can be done by keys alone", async ({ page }) => {
  await page.goto(`${stack().url}/s/demo`);
  await page.getByRole("button", { name: "Begin" }).waitFor();
  await tabTo(page, "agree");
  await page.keyboard.press("Space");
  await tabTo(page, "Begin");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Play the voice" }).waitFor();
  await tabTo(page, "Play the voice");
  await page.keyboard.press("Enter");
  await tabTo(page, "I hear the voice");
  await page.keyboard.press("Space");
  await tabTo(page, "first trial");
  await page.keyboard.press("Enter");
  await trialShown(page, 1);
  await page.keyboard.press("Space");
  await expect(page.getByText("first 5 s")).toBeVisible();
  await page.keyboard.press("2");
  await expect(page.getByRole("button", { name: "Second" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(page.getByText("You can answer now")).toBeVisible();
  await answer(page, "second");
  await trialShown(page, 2);
});

test("a reload goes on at the same trial", async ({ page }) => {
  const opened: string[] = [];
  page.on("response", async (response) => {
    if (!response.url().endsWith("/api/participation/trials")) return;
    opened.push(((await response.json()) as { trial_token: string }).trial_token);
  });
  await join(page);
  await checkSound(page);
  await trialShown(page, 1);
  await page.reload();
  await trialShown(page, 1);
  expect(new Set(opened).size).toBe(1);
  // The answer waits until both were heard again: the page forgot what was heard.
  await expect(page.getByRole("radio").first()).toBeDisabled();
});

test("an unknown study says so", async ({ page }) => {
  await page.goto(`${stack().url}/s/no-such-study`);
  await expect(page.getByRole("heading", { name: "There is no study" })).toBeFocused();
});

test("a forged participation leads back to the beginning", async ({ page }) => {
  await join(page);
  await page.evaluate(() => {
    const memory = JSON.parse(localStorage.getItem("thinlab.s.demo") ?? "{}");
    memory.participant_token = "forged-forged-forged-forged";
    localStorage.setItem("thinlab.s.demo", JSON.stringify(memory));
  });
  await page.reload();
  await expect(page.getByRole("heading", { name: "do not know this" })).toBeFocused();
  await page.getByRole("button", { name: "Start from the beginning" }).click();
  await expect(page.getByRole("checkbox", { name: /agree/ })).toBeVisible();
});

for (const [state, heading] of [
  ["closed", "This study is closed"],
  ["preparing", "This study is being prepared"],
] as const) {
  test(`a study that is ${state} says so, and opens when it is open`, async ({ page }) => {
    const address = "**/api/studies/demo";
    await page.route(address, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), state } });
    });
    await page.goto(`${stack().url}/s/demo`);
    await expect(page.getByRole("heading", { name: heading })).toBeFocused();
    await expectAccessible(page);
    await page.unroute(address);
    if (state === "closed") await page.reload();
    await expect(page.getByRole("button", { name: "Begin" })).toBeVisible();
  });
}

test("a researcher's preview says that it does not count", async ({ browser }) => {
  const desk = await openDesk(browser);
  await openStudy(desk);
  await desk.getByRole("link", { name: "Preview" }).click();
  await desk.getByRole("checkbox", { name: /agree/ }).check();
  await desk.getByRole("button", { name: "Begin" }).click();
  await expect(desk.getByRole("heading", { name: "Set your sound" })).toBeFocused();
  await expect(desk.getByText("these answers do not count")).toBeVisible();
});

test("a wrong password is refused with a reason", async ({ browser }) => {
  const desk = await openDesk(browser);
  await desk.getByRole("button", { name: "Sign out" }).click();
  await desk.getByLabel("Researcher’s password").fill("not the password");
  await desk.getByRole("button", { name: "Sign in" }).click();
  await expect(desk.getByRole("alert")).toContainText("not right");
});
