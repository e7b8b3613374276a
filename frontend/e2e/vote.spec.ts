// From the study's address to the export: three votes in the browser, found
// again beside the measurements of exactly the recordings that were heard.
// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import type { HeardTrial, VoteCast } from "../src/api/generated.ts";
import { expectAccessible } from "./accessible.ts";
import { votesCast } from "./cast.ts";
import { openDesk } from "./desk.ts";
import { throughUs } from "./through.ts";
import { aboutWhoJoins, exported, measured, type Row } from "./votes.ts";
import { type Choice, doTrial, reachFirstTrial } from "./walk.ts";

const CHOICES: readonly Choice[] = ["first", "second", "no_difference"];

interface Session {
  /** SHA-256 of each file that was fetched, by its token. */
  readonly files: Map<string, string>;
  readonly trials: Map<string, HeardTrial>;
  readonly votes: readonly VoteCast[];
}

/** Notes what the page fetches and sends, as the browser sees it. */
async function watch(page: Page): Promise<Session> {
  const session: Session = { files: new Map(), trials: new Map(), votes: await votesCast(page) };
  await throughUs(page.context(), (passing) => {
    const sha256 = createHash("sha256").update(passing.body).digest("hex");
    session.files.set(passing.recording_token, sha256);
    return passing;
  });
  page.on("response", async (response) => {
    if (new URL(response.url()).pathname !== "/api/participation/trials") return;
    const { trials } = (await response.json()) as { trials: HeardTrial[] };
    for (const trial of trials) session.trials.set(trial.trial_token, trial);
  });
  return session;
}

/** The numbers of a measurement, under the export's column names. */
function numbers(result: object, path: readonly string[] = []): [string, number][] {
  return Object.entries(result).flatMap(([name, value]): [string, number][] => {
    const here = name === "metrics" ? path : [...path, name];
    if (typeof value === "number") return [[here.join("_"), value]];
    return typeof value === "object" && value !== null ? numbers(value, here) : [];
  });
}

async function expectMeasured(desk: Page, row: Row, place: "first" | "second", book: Row[]) {
  const result = await measured(desk, Number(row[`${place}_recording`]));
  const values = new Map(numbers(result));
  const names = book
    .filter(({ source, name }) => source?.startsWith("session: ") && name?.startsWith(`${place}_`))
    .map(({ name }) => name ?? "");
  expect(names.length).toBeGreaterThan(50);
  for (const name of names) {
    const value = values.get(name.replace(`${place}_`, ""));
    if (row[name] === "") expect(value, name).toBeUndefined();
    else expect(Number(row[name]), name).toBeCloseTo(value ?? Number.NaN, 6);
  }
}

test("three votes are exported with the measurements of what was heard", async ({
  page,
  browser,
}) => {
  const desk = await openDesk(browser);
  const ofMe = await aboutWhoJoins(desk);
  // Only the window in front takes keys.
  await page.bringToFront();
  const session = await watch(page);
  await reachFirstTrial(page);
  for (const [index, choice] of CHOICES.entries()) await doTrial(page, index + 1, choice);
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeFocused();
  await expect(page.getByTestId("code")).toHaveText(/\w{4,}/);
  await expectAccessible(page);

  const rows = ofMe(await exported(desk));
  const book = await exported(desk, "codebook");
  const mine = session.votes.map((vote) => {
    const found = rows.filter((row) => Number(row.decision_ms) === vote.decision_ms);
    expect(found, "each vote is one row").toHaveLength(1);
    return { vote, row: found[0] as Row };
  });
  expect(rows).toHaveLength(CHOICES.length);
  expect(mine.map(({ row }) => row.choice)).toEqual(CHOICES);
  expect(new Set(mine.map(({ row }) => row.participant)).size).toBe(1);
  expect(new Set(mine.map(({ row }) => row.trial)).size).toBe(3);

  for (const { vote, row } of mine) {
    const trial = session.trials.get(vote.trial_token);
    for (const place of ["first", "second"] as const) {
      const sha256 = session.files.get(trial?.[place]?.recording_token ?? "");
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(row[`${place}_recording_sha256`]).toBe(sha256);
      await expectMeasured(desk, row, place, book);
    }
    expect(vote.account).toMatchObject({
      switches: Number(row.switches),
      plays_first: Number(row.plays_first),
    });
  }
});

test("the control is one recording under two tokens; pairs are two recordings", async ({
  browser,
}) => {
  const rows = await exported(await openDesk(browser));
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    const same = row.first_recording === row.second_recording;
    expect(same).toBe(row.control?.toLowerCase() === "true");
  }
});

test("the codebook explains every column of the export", async ({ browser }) => {
  const desk = await openDesk(browser);
  const [row] = await exported(desk);
  const explained = (await exported(desk, "codebook"))
    .filter((entry) => entry.table === "votes")
    .map((entry) => entry.name);
  expect(Object.keys(row ?? {}).sort()).toEqual([...explained].sort());
});
