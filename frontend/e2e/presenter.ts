// What a presenter does: opens the printed address, starts a demo, ends it.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Locator, type Page, test } from "@playwright/test";
import { stack } from "./stack.ts";

export const RUNNING = "Running";

let presenter: Page | null = null;

/** The page whose demo ends with the test. */
export function presents(page: Page): void {
  presenter = page;
}

/** The server runs one demo at a time; each test of a file starts its own. */
export function endEachDemo(): void {
  test.afterEach(async () => {
    if (!presenter) return;
    const end = presenter.getByRole("button", { name: "End", exact: true });
    if (await end.isVisible()) await endDemo(presenter);
    await presenter.context().close();
    presenter = null;
  });
}

/** The presenter's first page, in a browser of its own. */
export async function openDemos(browser: Browser, viewport = { width: 1280, height: 800 }) {
  const page = await (await browser.newContext({ viewport })).newPage();
  await page.goto(`${stack().url}/demo#present=${stack().present_token}`);
  await expect(page.getByRole("heading", { level: 1, name: "Live demo" })).toBeVisible();
  // Whoever comes to this screen next must not find the token.
  expect(page.url()).toBe(`${stack().url}/demo`);
  return page;
}

/** A demo that runs, on its console. */
export async function startDemo(browser: Browser): Promise<Page> {
  const page = await openDemos(browser);
  presents(page);
  await page.getByRole("button", { name: "Start the demo" }).click();
  await expectStage(page, RUNNING);
  return page;
}

export const stage = (page: Page): Locator => page.getByTestId("stage");

export const expectStage = (page: Page, name: string) => expect(stage(page)).toContainText(name);

/** A lane's switch. */
export const mechanism = (page: Page, name: string, letter: string): Locator =>
  page.getByRole("checkbox", { name: `${name}, lane ${letter}` });

/** Flips it, and waits until the kernel has it. */
export async function flip(page: Page, name: string, letter: string): Promise<void> {
  const one = mechanism(page, name, letter);
  const before = await one.isChecked();
  await one.click();
  await expect(one).toBeChecked({ checked: !before });
}

export const hearButton = (page: Page, letter: string): Locator =>
  page.getByTestId("hear").filter({ has: page.getByText(letter, { exact: true }) });

/** The audience's address, as the console shows it. */
export async function joinPath(page: Page): Promise<string> {
  const link = await page.getByTestId("join-link").getAttribute("href");
  return new URL(link ?? "").pathname;
}

/** The number of the newest event that the charts show. */
export const drawnEvent = async (page: Page): Promise<number> =>
  Number((await page.locator("[data-drawn-event]").getAttribute("data-drawn-event")) ?? 0);

export async function endDemo(page: Page): Promise<void> {
  await page.getByRole("button", { name: "End", exact: true }).click();
  await page.getByRole("button", { name: "End it for all" }).click();
  await expect(page.getByRole("link", { name: "Replay" })).toBeVisible();
}

/** Somebody of the audience, on a phone. */
export async function joinDemo(browser: Browser, path: string, language = "en"): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${stack().url}${path}?language=${language}`);
  await expect(page.getByRole("button", { name: "Listen" })).toBeVisible();
  return page;
}
