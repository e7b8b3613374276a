// What a researcher does: signs in, and goes to the pages of a study.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page } from "@playwright/test";
import { stack } from "./stack.ts";

export const PASSWORD = process.env.THINLAB_PASSWORD ?? "a password for tests";

/** A browser of its own, signed in. */
export async function openDesk(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page);
  return page;
}

/** The first one sets the password. */
export async function signIn(page: Page): Promise<void> {
  const { url, setup_token } = stack();
  await page.goto(`${url}/researcher#setup=${setup_token}`);
  const fresh = page.getByRole("button", { name: "Set password" });
  const known = page.getByRole("button", { name: "Sign in" });
  await expect(fresh.or(known)).toBeVisible();
  // Whoever comes to this screen next must not find the token.
  expect(page.url()).toBe(`${url}/researcher`);
  if (await fresh.isVisible()) {
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Password again").fill(PASSWORD);
    await fresh.click();
  } else {
    await page.getByLabel("Researcher’s password").fill(PASSWORD);
    await known.click();
  }
  await expect(page.getByRole("heading", { name: "Studies" })).toBeVisible();
}

/** Goes to one of the pages of a study, by its card and its tab. */
export async function openPage(page: Page, slug: string, name: string): Promise<void> {
  await page.goto(`${stack().url}/researcher`);
  await page
    .getByRole("listitem")
    .filter({ has: page.getByText(slug, { exact: true }) })
    .getByRole("link")
    .click();
  await page
    .getByRole("navigation", { name: "Pages of this study" })
    .getByRole("link", { name })
    .click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
}

export interface Recording {
  readonly id: number;
  readonly condition: { readonly name: string; readonly mode: string; readonly baseline: string };
  readonly result: object;
  readonly host_build: string;
}

export interface Overview {
  readonly study_hash: string;
  readonly trials: readonly {
    readonly id: string;
    readonly kind: "pair" | "control";
    readonly clip: string;
    readonly clip_title: string;
    readonly recordings: readonly Recording[];
  }[];
}

/** What the study's page is made of. */
export async function overview(page: Page): Promise<Overview> {
  const answer = await page.request.get(`${stack().url}/api/researcher/studies/demo`);
  expect(answer.status()).toBe(200);
  return (await answer.json()) as Overview;
}
