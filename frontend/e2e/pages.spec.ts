// Every page of a participant at a telephone's and a desk's width, in light and
// dark; a trial by keys alone; and what happens when something is not as it was.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page, type Route, test } from "@playwright/test";
import type { StudyPage } from "../src/api/generated.ts";
import english from "../src/language/texts/en.ts";
import { expectAccessible } from "./accessible.ts";
import { openDesk } from "./desk.ts";
import { Listener, type Moment } from "./listener.ts";
import { stack } from "./stack.ts";
import { shortened, throughUs } from "./through.ts";
import {
  answer,
  checkSound,
  hearBoth,
  join,
  memory,
  progress,
  reachFirstTrial,
  trialShown,
} from "./walk.ts";

const LOOKS = [
  { width: 390, colorScheme: "light" },
  { width: 1280, colorScheme: "dark" },
] as const;
const HEIGHT = 844;

const STUDY = "**/api/studies/demo*";

/** The demo study as if its file said otherwise. */
async function pretend(page: Page, change: Partial<StudyPage>): Promise<void> {
  await page.route(STUDY, async (route: Route) => {
    const response = await route.fetch({ maxRetries: 3 });
    await route.fulfill({ response, json: { ...(await response.json()), ...change } });
  });
}

// One walk, on which each page is looked at in every look.
test("every form of every step is accessible", async ({ page, context }) => {
  await throughUs(context, shortened);
  const looked = new Set<Moment | string>();
  const onMoment = async (at: Page, moment: Moment) => {
    // Questions before and after, and each form of trial, are pages of their own.
    const name = `${moment} ${await at.locator("h1").textContent()}`;
    if (looked.has(name)) return;
    looked.add(name);
    for (const { width, colorScheme } of LOOKS) {
      await at.setViewportSize({ width, height: HEIGHT });
      await at.emulateMedia({ colorScheme });
      await expectAccessible(at);
    }
  };
  const manner = { slug: "forms", doesHeadphoneTest: true, onMoment };
  await (await Listener.at(page, manner)).takePart();
  const moments = new Set([...looked].map((name) => name.split(" ")[0]));
  expect([...moments].sort()).toEqual(
    [
      "chosen",
      "consent",
      "headphones",
      "heard",
      "introduction",
      "questions",
      "rest",
      "round",
      "sound",
      "thanks",
      "trial",
    ].sort(),
  );
});

for (const { width, colorScheme } of LOOKS) {
  test.describe(`${width} px, ${colorScheme}`, () => {
    test.use({ viewport: { width, height: HEIGHT }, colorScheme });

    test("the front door, and all that opens, is accessible", async ({ page }) => {
      await page.goto(stack().url);
      await page.getByRole("link", { name: "Take part Which one sounds better?" }).waitFor();
      await page.getByRole("button", { name: "Plain TCP" }).waitFor();
      await expectAccessible(page);
      await reachFirstTrial(page);
      await page.getByText("Keyboard").click();
      await page.getByText("Choose the part to repeat").click();
      await page.getByText("Continue on another device").click();
      await page.getByRole("img").waitFor();
      await expectAccessible(page);
      await page.getByRole("link", { name: "Withdraw" }).click();
      await expect(page.getByRole("heading", { name: "Withdraw from" })).toBeFocused();
      await expectAccessible(page);
      await page.getByRole("button", { name: "Keep them" }).click();
      await trialShown(page, 1);
    });
  });
}

/** Tabs until the focused element has the text, as somebody without a mouse does. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let press = 0; press < 30; press++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.closest("label")?.textContent ?? element?.textContent ?? "";
    });
    if (focused.includes(text)) return;
  }
  throw new Error(`Tab never came to "${text}".`);
}

test("the whole way by keys alone", async ({ page }) => {
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
  await tabTo(page, "Continue");
  await page.keyboard.press("Enter");
  await trialShown(page, 1);
  await page.keyboard.press("Space");
  await expect(page.getByText(/at least (\d+) of.* first \1 s/)).toBeVisible();
  await page.keyboard.press(".");
  await expect(page.getByRole("checkbox", { name: "Repeat" })).toBeChecked();
  await page.keyboard.press("l");
  await expect(page.getByRole("checkbox", { name: "Repeat" })).not.toBeChecked();
  await page.keyboard.press("2");
  await expect(page.getByRole("button", { name: "Second" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(page.getByText("You can answer now")).toBeVisible();
  await answer(page, "second");
  await trialShown(page, 2);
});

test("a reload goes on at the same trial, with what was heard and chosen", async ({ page }) => {
  const opened: string[] = [];
  page.on("response", async (response) => {
    if (!response.url().endsWith("/api/participation/trials")) return;
    opened.push((await response.json()).trials[0].trial_token);
  });
  await reachFirstTrial(page);
  await hearBoth(page);
  await page.getByRole("radio").nth(1).check();
  await page.reload();
  await trialShown(page, 1);
  expect(new Set(opened).size).toBe(1);
  await expect(page.getByRole("radio").nth(1)).toBeChecked();
  const sent = page.waitForRequest("**/api/participation/votes");
  await page.getByRole("button", { name: "Send answer" }).click();
  const vote = (await sent).postDataJSON();
  expect(vote).toMatchObject({
    choice: "second",
    account: { medium: "heard", plays_first: 1, switches: 1 },
  });
  const actions = vote.events.map(({ action }: { action: string }) => action);
  expect(actions).toEqual(["play", "switch", "hidden", "pause", "visible"]);
  const instants = vote.events.map(({ at_ms }: { at_ms: number }) => at_ms);
  expect(instants).toEqual(instants.toSorted((one: number, other: number) => one - other));
  await trialShown(page, 2);
});

test("a reload goes on where one was: sound, headphones, questions, introduction, rest", async ({
  page,
  context,
}) => {
  await throughUs(context, shortened);
  const listener = await Listener.at(page, { slug: "forms", doesHeadphoneTest: true });
  await listener.consent();
  await page.getByRole("button", { name: english["sound.play"] }).click();
  await page.getByRole("checkbox", { name: english["sound.heard"] }).check();
  await page.reload();
  await expect(page.getByRole("checkbox", { name: english["sound.heard"] })).toBeChecked();
  const goOn = page.getByRole("button", { name: english["go.on"], exact: true });
  await goOn.click();
  const staysUnder = async (name: string) => {
    const heading = page.getByRole("heading", { name });
    await expect(heading).toBeFocused();
    await page.reload();
    await expect(heading).toBeVisible();
  };
  await staysUnder(english["headphones.title"]);

  await page.getByRole("button", { name: english["headphones.begin"] }).click();
  const round = (number: number) => page.getByRole("heading", { name: `Round ${number} of 6` });
  await expect(round(1)).toBeVisible();
  await page.getByRole("button", { name: english["headphones.play.huggins"] }).click();
  await page.getByRole("radio").first().check();
  await page.getByRole("button", { name: english["headphones.confirm"] }).click();
  await expect(round(2)).toBeVisible();
  await page.reload();
  await expect(round(2)).toBeVisible();
  await page.getByRole("button", { name: english["headphones.leave"] }).click();

  await page.getByLabel("How old are you?").fill("33");
  await page.getByRole("checkbox", { name: "Loudspeakers" }).check();
  await page.reload();
  await expect(page.getByLabel("How old are you?")).toHaveValue("33");
  await expect(page.getByRole("checkbox", { name: "Loudspeakers" })).toBeChecked();
  await goOn.click();

  await staysUnder(english["introduction.training"]);
  await page.getByRole("button", { name: english["introduction.begin"] }).click();
  await staysUnder("Trial 1 of 5");

  await listener.goOn("rest");
  const rest = page.getByRole("heading", { name: english["rest.title"] });
  await page.reload();
  await expect(rest).toBeVisible();
  await goOn.click();
  await expect(rest).toHaveCount(0);
  const heading = await page.getByRole("heading", { level: 1 }).textContent();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading ?? "");
});

test("an unknown study says so", async ({ page }) => {
  await page.goto(`${stack().url}/s/no-such-study`);
  await expect(page.getByRole("heading", { name: "There is no study" })).toBeFocused();
  await expectAccessible(page);
});

test("a forged participation leads back to the beginning", async ({ page }) => {
  await page.goto(`${stack().url}/s/demo#p=forged-forged-forged-forged`);
  await expect(page.getByRole("heading", { name: "no longer recognise this" })).toBeFocused();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Start from the beginning" }).click();
  await expect(page.getByRole("checkbox", { name: /agree/ })).toBeVisible();
});

for (const [state, heading] of [
  ["closed", "This study is closed"],
  ["full", "all the listeners it needs"],
  ["preparing", "This study is being prepared"],
] as const) {
  test(`a study that is ${state} says so, and opens when it is open`, async ({ page }) => {
    await pretend(page, { state });
    await page.goto(`${stack().url}/s/demo`);
    await expect(page.getByRole("heading", { name: heading })).toBeFocused();
    await expectAccessible(page);
    await page.unroute(STUDY);
    if (state === "closed") await page.reload();
    if (state === "full") await page.getByRole("button", { name: "Look again" }).click();
    await expect(page.getByRole("button", { name: "Begin" })).toBeVisible();
  });
}

test("a study by invitation wants one, and a wrong one is not taken", async ({ page }) => {
  await pretend(page, { access: "invitation" });
  await page.goto(`${stack().url}/s/demo`);
  await expect(page.getByRole("heading", { name: "by invitation" })).toBeFocused();
  await expectAccessible(page);
  await page.goto(`${stack().url}/s/demo#i=wrong-wrong-wrong-wrong`);
  await page.getByRole("checkbox", { name: /agree/ }).check();
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(
    page.getByRole("heading", { name: "do not recognise this invitation" }),
  ).toBeFocused();
  await expectAccessible(page);
});

test("who has no headphones where they are needed is told so, and can come back", async ({
  page,
}) => {
  await page.route("**/api/participation", async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    await route.fulfill({ response, json: { ...(await response.json()), headphones: "required" } });
  });
  await join(page);
  await checkSound(page);
  await page.getByRole("button", { name: "I have no headphones" }).click();
  await expect(page.getByRole("heading", { name: "needs headphones" })).toBeFocused();
  await expectAccessible(page);
  await expect(page.getByText("Without headphones you cannot take part")).toBeVisible();
  await page.getByRole("button", { name: "I have some after all" }).click();
  await page.getByRole("button", { name: "Begin the test" }).click();
  await page.getByRole("button", { name: "Leave the test" }).click();
  await expect(page.getByRole("heading", { name: "needs headphones" })).toBeFocused();
});

test("who fails the headphone test twice where it is needed comes to a designed end", async ({
  page,
}) => {
  // The server's word decides: this is what it says of a study that needs them.
  await page.route("**/api/participation", async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    const state = "headphones_failed";
    await route.fulfill({ response, json: { ...(await response.json()), state } });
  });
  await page.goto(`${stack().url}/s/demo`);
  await page.getByRole("checkbox", { name: /agree/ }).check();
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("heading", { name: "needs headphones" })).toBeFocused();
  await expectAccessible(page);
});

test("who is in the middle of the headphone test can leave it, where it is only asked for", async ({
  page,
}) => {
  const listener = await Listener.at(page, { slug: "forms", doesHeadphoneTest: true });
  await listener.consent();
  await listener.goOn("round");
  await expect(
    page.getByText("the study continues with whatever you are listening through"),
  ).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Leave the test" }).click();
  await expect(page.getByRole("heading", { name: "A few questions first" })).toBeFocused();
});

test("a failed headphone test is tried once more, then goes on where it is only asked for", async ({
  page,
}) => {
  const checked: { headphones: { number: number; answers: number[] } | null }[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/sound-check") && request.method() === "POST") {
      checked.push(request.postDataJSON());
    }
  });
  const listener = await Listener.at(page, { slug: "forms", doesHeadphoneTest: true });
  await listener.consent();
  await listener.goOn("headphones");
  for (const begin of ["Begin the test", "Try once more"]) {
    await page.getByRole("button", { name: begin }).click();
    for (let round = 1; round <= 6; round++) {
      await expect(page.getByRole("heading", { name: `Round ${round} of 6` })).toBeFocused();
      await page.getByRole("button", { name: "Play the three noises" }).click();
      await expect(page.locator("fieldset")).toBeEnabled();
      const tone = await page.evaluate(() => window.tonesHeard?.slice(-3).indexOf(true) ?? -1);
      await page
        .getByRole("radio")
        .nth((tone + 1) % 3)
        .check();
      await page.getByRole("button", { name: "Confirm" }).click();
    }
    if (begin === "Begin the test") {
      await expect(page.getByRole("heading", { name: "did not work yet" })).toBeFocused();
      await expectAccessible(page);
    }
  }
  await expect(page.getByRole("heading", { name: "A few questions first" })).toBeFocused();
  // Answers, and no word on whether they are right.
  const six = Array.from({ length: 6 }, () => expect.any(Number));
  expect(checked.map(({ headphones }) => headphones)).toEqual([
    { number: 1, answers: six },
    { number: 2, answers: six },
    null,
  ]);
});

test("questions say what is missing and what does not fit", async ({ page }) => {
  const listener = await Listener.at(page, { slug: "forms" });
  await listener.consent();
  await listener.goOn("questions");
  const age = page.getByRole("textbox", { name: "How old are you?" });
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(age).toBeFocused();
  await expect(age).toHaveAccessibleDescription(/whole number from 18 to 120.*Please answer/);
  await expectAccessible(page);
  await age.fill("17");
  await expect(age).toHaveAccessibleDescription(/does not fit/);
  await age.fill("18");
  await page.getByRole("button", { name: "Continue", exact: true }).click();
  await expect(page.getByRole("heading", { name: "First, a warm-up" })).toBeFocused();
});

test("a consent text that changed meanwhile is shown once more", async ({ page }) => {
  await pretend(page, { consent: { version: "0", paragraphs: ["An older text."] } });
  await page.goto(`${stack().url}/s/demo`);
  await page.getByRole("checkbox", { name: /agree/ }).check();
  await page.unroute(STUDY);
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("alert")).toContainText("This text has changed");
  await expect(page.getByText("An older text.")).toHaveCount(0);
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("heading", { name: "Set your sound" })).toBeFocused();
});

test("a researcher's preview says that it does not count", async ({ browser }) => {
  const desk = await openDesk(browser);
  await desk.goto(`${stack().url}/s/demo?preview`);
  await desk.getByRole("checkbox", { name: /agree/ }).check();
  await desk.getByRole("button", { name: "Begin" }).click();
  await expect(desk.getByRole("heading", { name: "Set your sound" })).toBeFocused();
  await expect(desk.getByText("these answers do not count")).toBeVisible();
  const { participant_token } = await memory(desk, "demo.preview");
  expect(await progress(desk, participant_token)).toMatchObject({ kind: "preview" });
});
