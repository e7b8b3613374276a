// What a participant does in the study that comes with Thinlab, step by step.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page } from "@playwright/test";
import { stack } from "./stack.ts";

export type Choice = "first" | "second" | "no_difference";

const KEYS: Readonly<Record<Choice, string>> = { first: "f", second: "s", no_difference: "n" };

/** From the study's address to the sound check. */
export async function join(page: Page): Promise<void> {
  await page.goto(`${stack().url}/s/demo`);
  await page.getByRole("checkbox", { name: /agree/ }).check();
  await page.getByRole("button", { name: "Begin" }).click();
  await expect(page.getByRole("heading", { name: "Set your sound" })).toBeFocused();
}

/** From the sound check to the first trial; `before` happens at the last moment. */
export async function checkSound(page: Page, before: () => void = () => {}): Promise<void> {
  await page.getByRole("button", { name: "Play the voice" }).click();
  await page.getByRole("button", { name: "Stop the voice" }).waitFor();
  await page.getByRole("checkbox", { name: /hear the voice/ }).check();
  before();
  await page.getByRole("button", { name: "Continue", exact: true }).click();
}

/** Waits until the trial is shown and its recordings can be played. */
export async function trialShown(page: Page, position: number): Promise<void> {
  await expect(page.getByRole("heading", { name: `Trial ${position} of 3` })).toBeFocused();
  await page.getByRole("button", { name: "Play", exact: true }).waitFor();
}

/** From the study's address to the first trial. */
export async function reachFirstTrial(page: Page): Promise<void> {
  await join(page);
  await checkSound(page);
  await trialShown(page, 1);
}

/** Once as much of it was heard as the page asks for. */
const heard = (page: Page, member: "first" | "second") =>
  expect(
    page.getByText(new RegExp(`at least (\\d+) of.* ${member} \\1 s|You can answer now`)),
  ).toBeVisible();

/** Plays the first, changes to the second while it plays, until both were heard. */
export async function hearBoth(page: Page): Promise<void> {
  await page.getByRole("button", { name: "First", exact: true }).click();
  await heard(page, "first");
  await page.getByRole("button", { name: "Second", exact: true }).click();
  await expect(page.getByText("You can answer now")).toBeVisible();
}

/** Chooses by key, which moves the focus to the choice, and sends with Enter. */
export async function answer(page: Page, choice: Choice): Promise<void> {
  await page.keyboard.press(KEYS[choice]);
  await expect(page.getByRole("button", { name: "Send answer" })).toBeEnabled();
  await page.keyboard.press("Enter");
}

/** A whole trial. */
export async function doTrial(page: Page, position: number, choice: Choice): Promise<void> {
  await trialShown(page, position);
  await hearBoth(page);
  await answer(page, choice);
}

interface Memory {
  readonly participant_token: string;
  readonly withdraw_token: string;
}

/** What this browser remembers of the study. */
export async function memory(page: Page, slug = "demo"): Promise<Memory> {
  const text = await page.evaluate(
    (name) => localStorage.getItem(name) ?? "{}",
    `thinlab.s.${slug}`,
  );
  return JSON.parse(text) as Memory;
}

/** The participant's token, as this browser keeps it. */
export const participantToken = async (page: Page, slug = "demo"): Promise<string> =>
  (await memory(page, slug)).participant_token;

/** How far the server says that the participant is. */
export async function progress(page: Page, token: string): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${token}` };
  const answered = await page.request.get(`${stack().url}/api/participation`, { headers });
  return { status: answered.status(), ...(await answered.json()) };
}

/** What the browser keeps for the server, unconfirmed. */
export const outbox = (page: Page): Promise<unknown[]> =>
  page.evaluate(
    () =>
      new Promise<unknown[]>((resolve) => {
        const opening = indexedDB.open("thinlab");
        opening.onsuccess = () => {
          const all = opening.result.transaction("outbox").objectStore("outbox").getAll();
          all.onsuccess = () => {
            opening.result.close();
            resolve(all.result);
          };
        };
      }),
  );

/** So many answers are on the server, and none waits here. */
export async function expectArrived(page: Page, trials_done: number): Promise<void> {
  expect(await outbox(page)).toEqual([]);
  expect(await progress(page, await participantToken(page))).toMatchObject({ trials_done });
}
