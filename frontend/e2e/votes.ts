// What the researchers' side holds of what was answered, by its HTTP interface.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page } from "@playwright/test";
import { parse } from "csv-parse/sync";
import { stack } from "./stack.ts";

export type Row = Readonly<Record<string, string>>;

/** A file of the export; `desk` is signed in. */
export async function exported(
  desk: Page,
  name: "export" | "codebook" | "participants" | "keystrokes" | "typing-sessions" = "export",
  slug = "demo",
): Promise<Row[]> {
  const answer = await desk.request.get(
    `${stack().url}/api/researcher/studies/${slug}/${name}.csv`,
  );
  expect(answer.status()).toBe(200);
  return parse(await answer.text(), { columns: true, bom: true }) as Row[];
}

/** Picks, from rows of the export, those about who has joined the study since this was asked: on the
 * same stack others may have taken part before, or this test in its first try. */
export async function aboutWhoJoins(desk: Page, slug = "demo"): Promise<(rows: Row[]) => Row[]> {
  const people = await exported(desk, "participants", slug);
  const before = new Set(people.map(({ participant }) => participant));
  return (rows) => rows.filter(({ participant }) => !before.has(participant));
}

/** What was measured when a recording was made. */
export async function measured(desk: Page, id: number): Promise<object> {
  const answer = await desk.request.get(`${stack().url}/api/researcher/recordings/${id}/result`);
  expect(answer.status()).toBe(200);
  return (await answer.json()) as object;
}
