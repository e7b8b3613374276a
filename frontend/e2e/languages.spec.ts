// The page speaks the listener's language, all of it, and keeps to it.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page, test } from "@playwright/test";
import english from "../src/language/texts/en.ts";
import norwegian from "../src/language/texts/nb.ts";
import { expectAccessible } from "./accessible.ts";
import { stack } from "./stack.ts";
import { shortened, throughUs } from "./through.ts";
import { memory, progress } from "./walk.ts";

const heading = (page: Page, name: string) =>
  expect(page.getByRole("heading", { name, exact: true })).toBeFocused();
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** English texts that stand in the page, in what is seen or in what is read aloud. */
async function englishIn(page: Page): Promise<string[]> {
  const said = await page.evaluate(() => {
    const labels = [...document.querySelectorAll("[aria-label], [aria-valuetext], [alt]")].map(
      (element) =>
        ["aria-label", "aria-valuetext", "alt"].map((name) => element.getAttribute(name)).join(" "),
    );
    return [document.title, document.body.textContent, ...labels].join("\n");
  });
  return Object.entries(english)
    .filter(([key, text]) => text.length > 6 && norwegian[key as keyof typeof english] !== text)
    .flatMap(([, text]) => text.split(/\{\w+\}/).filter((part) => part.trim().length > 6))
    .filter((part) => said.includes(part));
}

async function expectNorwegian(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("lang", "nb");
  // The study's texts and the page's own come by different ways.
  await expect.poll(() => englishIn(page)).toEqual([]);
}

/** Under this heading, and all in Norwegian. */
async function expectNorwegianUnder(page: Page, name: string): Promise<void> {
  await heading(page, name);
  await expectNorwegian(page);
}

test.describe("a Norwegian browser", () => {
  test.use({ locale: "nb-NO" });

  test("is spoken to in Norwegian from the front door to the thanks", async ({ page, context }) => {
    await throughUs(context, shortened);
    await page.goto(stack().url);
    await heading(page, "Thinlab");
    await page.getByRole("link", { name: norwegian["landing.desk.link"] }).waitFor();
    await expectNorwegian(page);
    await page.goto(`${stack().url}/s/forms`);
    // The other language's name is in that language.
    await expectNorwegianUnder(page, "Alle skjemaer én gang");
    await page.getByRole("checkbox", { name: norwegian["consent.agree"] }).check();
    await press(page, norwegian["consent.begin"]);
    await heading(page, norwegian["sound.title"]);
    await press(page, norwegian["sound.play"]);
    await page.getByRole("checkbox", { name: norwegian["sound.heard"] }).check();
    await expectNorwegian(page);
    await press(page, norwegian["go.on"]);
    await expectNorwegianUnder(page, norwegian["headphones.title"]);
    await press(page, norwegian["headphones.none"]);
    await heading(page, norwegian["questions.before"]);
    await press(page, norwegian["go.on"]);
    await expectNorwegian(page);
    await page.getByRole("textbox", { name: "Hvor gammel er du?" }).fill("40");
    await press(page, norwegian["go.on"]);
    await expectNorwegianUnder(page, norwegian["introduction.training"]);
    await press(page, norwegian["introduction.begin"]);
    for (const position of [1, 2, 3, 4, 5]) {
      await heading(page, `Oppgave ${position} av 5`);
      await page.getByTestId("play").waitFor();
      if (position === 5) {
        // Else the second has only what the first left of a short recording.
        await page.getByRole("checkbox", { name: norwegian["loop.repeat"] }).check();
        await press(page, norwegian["player.first"]);
        await expect(page.getByText(/første 1 s|Du kan svare nå/)).toBeVisible();
        await press(page, norwegian["player.second"]);
      } else {
        await page.getByTestId("play").click();
      }
      await expect(page.getByText(norwegian["gate.open"])).toBeVisible();
      await page.getByText(norwegian["keys.heading"]).click();
      await expectNorwegian(page);
      // «Andre» has the key A; elsewhere it is the first of the scale, or 5.
      await page.keyboard.press(position === 3 || position === 4 ? "5" : "a");
      await expectAccessible(page);
      await press(page, norwegian["answer.send"]);
      if (position === 2) await press(page, norwegian["introduction.begin"]);
      if (position === 3) {
        await expectNorwegianUnder(page, norwegian["rest.title"]);
        await press(page, norwegian["go.on"]);
      }
    }
    await expectNorwegianUnder(page, norwegian["questions.after"]);
    await press(page, norwegian["go.on"]);
    await expectNorwegianUnder(page, norwegian["thanks.title"]);
    const { participant_token } = await memory(page, "forms");
    expect(await progress(page, participant_token)).toMatchObject({
      state: "complete",
      language: "nb",
    });
  });

  test("keeps its language on a device that speaks another", async ({ page, browser }) => {
    await page.goto(`${stack().url}/s/forms`);
    await page.getByRole("checkbox", { name: norwegian["consent.agree"] }).check();
    await press(page, norwegian["consent.begin"]);
    await heading(page, norwegian["sound.title"]);
    const { participant_token } = await memory(page, "forms");
    const other = await (await browser.newContext({ locale: "en-GB" })).newPage();
    await other.goto(`${stack().url}/s/forms#p=${participant_token}`);
    await expectNorwegianUnder(other, norwegian["sound.title"]);
  });
});

test("the language can be chosen before joining, and the choice lasts", async ({ page }) => {
  await page.goto(`${stack().url}/s/forms`);
  await heading(page, "Every form once");
  await page.getByRole("button", { name: "Norsk bokmål" }).click();
  await expectNorwegianUnder(page, "Alle skjemaer én gang");
  await page.reload();
  await heading(page, "Alle skjemaer én gang");
  await page.getByRole("button", { name: "English" }).click();
  await heading(page, "Every form once");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
});

test("the address can ask for a language", async ({ page }) => {
  await page.goto(`${stack().url}/s/forms?language=nb`);
  await expectNorwegianUnder(page, "Alle skjemaer én gang");
});

test("a study in one language offers no choice", async ({ page }) => {
  await page.route("**/api/studies/demo*", async (route) => {
    const response = await route.fetch({ maxRetries: 3 });
    await route.fulfill({ response, json: { ...(await response.json()), languages: ["en"] } });
  });
  await page.goto(`${stack().url}/s/demo`);
  await page.getByRole("button", { name: "Begin" }).waitFor();
  await expect(page.getByRole("navigation")).toHaveCount(0);
});
