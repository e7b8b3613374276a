// The way of a participant to the tests of hearing, and through them.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page } from "@playwright/test";
import english from "../src/language/texts/en.ts";
import norwegian from "../src/language/texts/nb.ts";
import { stack } from "./stack.ts";
import { checkSound } from "./walk.ts";

export const heading = (page: Page, text: string | RegExp) =>
  page.getByRole("heading", { level: 1, name: text });

export async function consent(page: Page, language = "en"): Promise<void> {
  const text = language === "nb" ? norwegian : english;
  await page.goto(`${stack().url}/s/screening?language=${language}`);
  await page.getByRole("checkbox", { name: text["consent.agree"] }).check();
  await page.getByRole("button", { name: text["consent.begin"] }).click();
  await expect(heading(page, text["questions.before"])).toBeFocused();
}

/** The way to the tests of hearing; `before` happens at that of headphones. */
export async function comeToHearing(page: Page, before = async () => {}): Promise<void> {
  await consent(page);
  await page.getByRole("radio", { name: "A telephone" }).check();
  await page.getByRole("button", { name: english["go.on"] }).click();
  await expect(heading(page, english["sound.title"])).toBeFocused();
  await checkSound(page);
  await expect(page.getByText("one of the three is a little quieter")).toBeVisible();
  await before();
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
export async function answerByKeys(page: Page, play: string, wrong = 0): Promise<void> {
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
