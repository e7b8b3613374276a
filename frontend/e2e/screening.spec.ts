// Who may take part: by an answer before anything else, and by what they hear.
// SPDX-License-Identifier: Apache-2.0
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import english from "../src/language/texts/en.ts";
import norwegian from "../src/language/texts/nb.ts";
import { expectAccessible } from "./accessible.ts";
import { openDesk, openPage } from "./desk.ts";
import { stack, until } from "./stack.ts";
import { exported } from "./votes.ts";
import { checkSound } from "./walk.ts";

const SIZES = [
  { width: 1280, height: 860 },
  { width: 390, height: 844 },
] as const;

const heading = (page: Page, text: string | RegExp) =>
  page.getByRole("heading", { level: 1, name: text });

/** Both widths of a page that is shown already; with a folder to put them into, as pictures, too. */
async function expectFit(page: Page, name: string): Promise<void> {
  const folder = process.env.THINLAB_SCREENSHOTS;
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expectAccessible(page);
    if (!folder) continue;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}-${size.width}.png`), fullPage: true });
  }
}

async function consent(page: Page, language = "en"): Promise<void> {
  const text = language === "nb" ? norwegian : english;
  await page.goto(`${stack().url}/s/screening?language=${language}`);
  await page.getByRole("checkbox", { name: text["consent.agree"] }).check();
  await page.getByRole("button", { name: text["consent.begin"] }).click();
  await expect(heading(page, text["questions.before"])).toBeFocused();
}

/** The way to the tests of hearing. */
async function comeToHearing(page: Page): Promise<void> {
  await consent(page);
  await page.getByRole("radio", { name: "A telephone" }).check();
  await page.getByRole("button", { name: english["go.on"] }).click();
  await expect(heading(page, english["sound.title"])).toBeFocused();
  await checkSound(page);
  await expect(page.getByText("one of the three is a little quieter")).toBeVisible();
  await expectFit(page, "antiphase");
  await page.getByRole("button", { name: english["headphones.none"] }).click();
  await expect(heading(page, english["hearing.levels.title"])).toBeFocused();
}

const RATE_HZ = 48_000;
const HEADER_BYTES = 44;

/** What a listener with good equipment hears: the sound that changes most from sample to sample. */
function brightest(wav: Buffer, sounds: number): number {
  const samples = new Int16Array(wav.buffer, wav.byteOffset + HEADER_BYTES);
  const changes = Array.from({ length: sounds }, (_, sound) => {
    const from = sound * 1.5 * RATE_HZ;
    let sum = 0;
    for (let at = from + 1; at < from + RATE_HZ; at++) {
      sum += ((samples[at] ?? 0) - (samples[at - 1] ?? 0)) ** 2;
    }
    return sum;
  });
  return changes.indexOf(Math.max(...changes));
}

/** All rounds of the test that is shown, by keys alone. */
async function answerByKeys(page: Page, play: string, wrong = 0): Promise<void> {
  const rounds = 3;
  const sent: Buffer[] = [];
  // A body that the page reads as a stream is gone afterwards: it is read on its way.
  await page.route("**/api/participation/hearing/*/*/*", async (route) => {
    const response = await route.fetch();
    sent.push(await response.body());
    await route.fulfill({ response });
  });
  const begin = page.getByRole("button", { name: english["headphones.begin"] });
  for (let round = 1; round <= rounds; round++) {
    if (round === 1) await begin.press("Enter");
    else await page.getByRole("button", { name: english["headphones.confirm"] }).press("Enter");
    await expect(heading(page, `Round ${round} of ${rounds}`)).toBeFocused();
    const button = page.getByRole("button", { name: play });
    await expect(button).toBeEnabled();
    const wav = sent.at(-1);
    if (!wav) throw new Error(`Round ${round} has come without a sound.`);
    await button.press("Enter");
    const options = page.getByRole("radio");
    const sounds = await options.count();
    const right = brightest(wav, sounds);
    const chosen = options.nth((right + (round <= wrong ? 1 : 0)) % sounds);
    // A key waits for nothing by itself, and until all was heard no answer is taken.
    await expect(chosen).toBeEnabled();
    await chosen.press("Space");
    await expect(chosen).toBeChecked();
  }
  await page.getByRole("button", { name: english["headphones.confirm"] }).press("Enter");
  await page.unroute("**/api/participation/hearing/*/*/*");
}

/** Plays the round that is shown; what is typed next goes into the field. */
async function hearDigits(page: Page, round: number): Promise<void> {
  await expect(heading(page, `Round ${round} of 8`)).toBeFocused();
  const play = page.getByRole("button", { name: english["hearing.digits.play"] });
  await expect(play).toBeEnabled();
  await play.press("Enter");
  const field = page.getByRole("textbox", { name: english["hearing.digits.which"] });
  await expect(field).toBeFocused();
  await expect(play).toBeDisabled();
}

test.beforeEach(async () => {
  await until(async () => {
    const answered = await fetch(`${stack().url}/api/studies/screening`);
    return ((await answered.json()) as { state: string }).state === "open";
  });
});

test("an answer that keeps people out ends it, and no reload brings it back", async ({ page }) => {
  await consent(page);
  await page.getByRole("radio", { name: "A harp" }).press("Space");
  await page.getByRole("button", { name: english["go.on"] }).press("Enter");
  await expect(heading(page, english["ineligible.title"])).toBeFocused();
  await expect(page.getByText(english["ineligible.thanks"])).toBeVisible();
  await expectFit(page, "ineligible");
  await page.reload();
  await expect(heading(page, english["ineligible.title"])).toBeFocused();
});

test("the same end in Norwegian", async ({ page }) => {
  await consent(page, "nb");
  await page.getByRole("radio", { name: "En harpe" }).check();
  await page.getByRole("button", { name: norwegian["go.on"] }).click();
  await expect(heading(page, norwegian["ineligible.title"])).toBeFocused();
  await expectFit(page, "ineligible-nb");
});

test("the tests of hearing are done by keys, one after the other", async ({ page }) => {
  test.setTimeout(180_000);
  await comeToHearing(page);
  await expectFit(page, "levels");
  // Recorded only: nobody is turned away.
  await answerByKeys(page, english["hearing.levels.play"], 3);
  await expect(heading(page, english["hearing.bandwidth.title"])).toBeFocused();
  await expectFit(page, "bandwidth");
  await page.getByRole("button", { name: english["headphones.begin"] }).click();
  await expect(heading(page, "Round 1 of 3")).toBeFocused();
  await expectFit(page, "bandwidth-round");
  // Leaving is no try, and the rounds stay.
  await page.getByRole("button", { name: english["headphones.leave"] }).click();
  await expect(heading(page, english["hearing.bandwidth.title"])).toBeFocused();
  await answerByKeys(page, english["hearing.bandwidth.play"]);
  await expect(heading(page, english["hearing.digits.title"])).toBeFocused();
});

test("digits in noise are typed or tapped, and a page that is loaded again goes on", async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000);
  await comeToHearing(page);
  await answerByKeys(page, english["hearing.levels.play"]);
  await expect(heading(page, english["hearing.bandwidth.title"])).toBeFocused();
  await answerByKeys(page, english["hearing.bandwidth.play"]);
  await expect(heading(page, english["hearing.digits.title"])).toBeFocused();
  await expectFit(page, "digits");
  const sizes = new Set<number>();
  page.on("response", async (response) => {
    if (response.url().includes("/hearing/digits/")) {
      sizes.add(Number(response.headers()["content-length"]));
    }
  });
  await page.getByRole("button", { name: english["headphones.begin"] }).press("Enter");
  await hearDigits(page, 1);
  const field = page.getByRole("textbox", { name: english["hearing.digits.which"] });
  const confirm = page.getByRole("button", { name: english["headphones.confirm"] });
  // What is no digit is not taken, nor a fourth one.
  await page.keyboard.type("1a2-33");
  await expect(field).toHaveValue("123");
  await expectFit(page, "digits-round");
  await page.keyboard.press("Enter");
  await hearDigits(page, 2);
  for (const key of ["4", "5", "6"]) await page.getByRole("button", { name: key }).click();
  await page.getByRole("button", { name: english["hearing.digits.delete"] }).click();
  await expect(field).toHaveValue("45");
  await expect(confirm).toBeDisabled();
  await page.getByRole("button", { name: "0", exact: true }).press("Space");
  await expect(field).toHaveValue("450");
  await confirm.press("Enter");
  await hearDigits(page, 3);
  await page.reload();
  await hearDigits(page, 3);
  // Another window of the same browser goes on first; what comes later changes nothing.
  const other = await page.context().newPage();
  await other.goto(`${stack().url}/s/screening`);
  await other.getByRole("button", { name: english["headphones.begin"] }).press("Enter");
  await hearDigits(other, 3);
  await other.keyboard.type("000");
  await other.keyboard.press("Enter");
  await expect(heading(other, "Round 4 of 8")).toBeFocused();
  await other.close();
  await page.bringToFront();
  await page.keyboard.type("123");
  await page.keyboard.press("Enter");
  // Leaving is no try, and what was answered stays.
  await expect(heading(page, "Round 4 of 8")).toBeFocused();
  await page.getByRole("button", { name: english["headphones.leave"] }).press("Enter");
  await expect(heading(page, english["hearing.digits.title"])).toBeFocused();
  await page.getByRole("button", { name: english["headphones.begin"] }).press("Enter");
  for (let round = 4; round <= 8; round++) {
    await hearDigits(page, round);
    await page.keyboard.type("000");
    await page.keyboard.press("Enter");
  }
  await expect(heading(page, "Trial 1 of 1")).toBeFocused();
  expect(sizes.size).toBe(1);

  const desk = await openDesk(browser);
  await openPage(desk, "screening", "Participants");
  await expect(desk.getByText(/digits: threshold .+ dB, failed/).first()).toBeVisible();
  await expect(desk.getByText("Test of hearing failed (marked).").first()).toBeVisible();
  await expectFit(desk, "digits-roster");
  await openPage(desk, "screening", "Design");
  await expect(desk.getByText("who does not pass the test of digits")).toBeVisible();
  await expectFit(desk, "digits-design");
  const people = await exported(desk, "participants", "screening");
  const reached = people.filter(({ hearing_digits_of }) => hearing_digits_of === "8");
  expect(reached.map(({ hearing_digits_passed }) => hearing_digits_passed)).toContain("false");
});

test("who does not hear what is needed comes to a designed end", async ({ page }) => {
  test.setTimeout(180_000);
  await comeToHearing(page);
  await answerByKeys(page, english["hearing.levels.play"]);
  await expect(heading(page, english["hearing.bandwidth.title"])).toBeFocused();
  await answerByKeys(page, english["hearing.bandwidth.play"], 1);
  await expect(heading(page, english["hearing.failed.title"])).toBeFocused();
  await expectFit(page, "hearing-failed");
});
