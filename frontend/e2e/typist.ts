// What a participant does in a study that is typed, by what the page shows.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Locator, type Page } from "@playwright/test";
import english from "../src/language/texts/en.ts";
import { stack } from "./stack.ts";

export const TYPING = "typing";
/** The line that the study's tasks are about. */
export const LINE = "A thin stream runs far.";

type Text = keyof typeof english;
type Texts = Readonly<Record<Text, string>>;

export const button = (page: Page, text: Text, language: Texts = english): Locator =>
  page.getByRole("button", { name: language[text], exact: true });

export const heading = (page: Page, text: Text, language: Texts = english): Locator =>
  page.getByRole("heading", { name: language[text] });

/** From the address to the first trial, past consent, the two checks and the introduction;
 * `atCheck` happens on the page of the checks. */
export async function joinToType(
  page: Page,
  atCheck: (page: Page) => Promise<void> = async () => {},
  slug = TYPING,
  language: Texts = english,
): Promise<void> {
  // Ctrl-W searches in nano and closes a page: so a page asks before it is left.
  page.on("dialog", (dialog) => void dialog.accept());
  await page.goto(`${stack().url}/s/${slug}`);
  await page.getByRole("checkbox", { name: language["consent.agree"] }).check();
  await button(page, "consent.begin", language).click();
  await expect(heading(page, "check.title", language)).toBeFocused();
  await atCheck(page);
  await page.keyboard.type(language["check.word"]);
  // On a busy machine the first measurement may be too unsteady.
  const open = page.locator("button:enabled", { hasText: language["go.on"] });
  const again = button(page, "check.connection.again", language);
  await expect(open.or(again)).toBeVisible();
  if (await again.isVisible()) await again.click();
  await open.click();
  await button(page, "introduction.begin", language).click();
  await expect(button(page, "typing.begin.first", language)).toBeVisible();
}

/** From the study's page to the first session's terminal. */
export async function joinAndBegin(page: Page): Promise<void> {
  await joinToType(page);
  await begin(page, "typing.begin.first");
}

/** Presses a session's button, and waits until one can type. */
export async function begin(page: Page, which: Text): Promise<void> {
  await button(page, which).click();
  await expectReady(page);
}

/** The terminal is there, has the focus, and nothing lies over it. */
export async function expectReady(page: Page): Promise<void> {
  await expect(page.locator("[data-testid=glass][data-focused=true]")).toBeVisible();
  await expect(page.getByTestId("cover")).toHaveCount(0);
}

/** What can be read in the terminal. */
export const screen = (page: Page): Locator => page.locator(".xterm-rows");

export const typed = (page: Page, text: string) => expect(screen(page)).toContainText(text);

export async function done(page: Page): Promise<void> {
  await button(page, "typing.done").click();
  await expect(page.getByTestId("glass")).toHaveCount(0);
}

/** Types a line at the terminal that has the focus, and waits until it is there. */
export async function typeLine(page: Page): Promise<void> {
  await page.keyboard.type(LINE);
  await typed(page, LINE);
}

/** A session from its button to its end. */
export async function session(page: Page, which: Text): Promise<void> {
  await begin(page, which);
  await typeLine(page);
  await done(page);
}

/** Whoever prefers one says how noticeable it was. */
export async function vote(page: Page, choice: string, noticeable?: string): Promise<void> {
  await page.getByRole("radio", { name: choice }).check();
  if (noticeable) await page.getByRole("radio", { name: noticeable }).check();
  await button(page, "answer.send").click();
}
