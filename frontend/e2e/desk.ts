// What a researcher does: signs in, reads the overview, takes the export home.
// SPDX-License-Identifier: Apache-2.0
import { readFile } from "node:fs/promises";
import { type Browser, expect, type Page } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { stack } from "./stack.ts";

const PASSWORD = process.env.THINLAB_PASSWORD ?? "a password for tests";

export type Row = Readonly<Record<string, string>>;

/** A browser of its own, signed in; the first one sets the password. */
export async function openDesk(browser: Browser): Promise<Page> {
  const { url, setup_token } = stack();
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${url}/researcher#setup=${setup_token}`);
  const fresh = page.getByRole("button", { name: "Set password" });
  const signIn = page.getByRole("button", { name: "Sign in" });
  await expect(fresh.or(signIn)).toBeVisible();
  // Whoever comes to this screen next must not find the token.
  expect(page.url()).toBe(`${url}/researcher`);
  if (await fresh.isVisible()) {
    await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
    await page.getByLabel("Password again").fill(PASSWORD);
    await fresh.click();
  } else {
    await page.getByLabel("Researcher’s password").fill(PASSWORD);
    await signIn.click();
  }
  await expect(page.getByRole("heading", { name: "Studies" })).toBeVisible();
  return page;
}

/** Goes to the demo study by its card. */
export async function openStudy(page: Page): Promise<void> {
  await page.getByRole("listitem").getByRole("link").first().click();
  await expect(page.getByRole("heading", { name: "Trials" })).toBeVisible();
}

/** Presses one of the two download buttons and reads the file. */
export async function download(page: Page, name: "Export votes" | "Codebook"): Promise<Row[]> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name }).click(),
  ]);
  return parse(await readFile(await file.path(), "utf8"), { columns: true, bom: true }) as Row[];
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
