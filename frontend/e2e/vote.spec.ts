// From the study's address to the export: three votes in the browser, found
// again beside the measurements of exactly the recordings that were heard.
// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { expect, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { download, type Overview, openDesk, openStudy, overview, type Row } from "./desk.ts";
import { throughUs } from "./through.ts";
import { type Choice, checkSound, doTrial, join } from "./walk.ts";

const CHOICES: readonly Choice[] = ["first", "second", "no_difference"];

interface Cast {
  readonly trial_token: string;
  readonly choice: Choice;
  readonly decision_ms: number;
  readonly switches: number;
  readonly plays_first: number;
}

interface Session {
  /** SHA-256 of each file that was fetched, by its token. */
  readonly files: Map<string, string>;
  readonly trials: { trial_token: string; first: Handle; second: Handle }[];
  readonly votes: Cast[];
}
interface Handle {
  readonly recording_token: string;
}

/** Notes what the page fetches and sends, as the browser sees it. */
async function watch(page: Page): Promise<Session> {
  const session: Session = { files: new Map(), trials: [], votes: [] };
  await throughUs(page.context(), (passing) => {
    const sha256 = createHash("sha256").update(passing.body).digest("hex");
    session.files.set(passing.recording_token, sha256);
    return passing;
  });
  page.on("response", async (response) => {
    const path = new URL(response.url()).pathname;
    if (path === "/api/participation/trials") {
      session.trials.push(await response.json());
    } else if (path === "/api/participation/votes") {
      session.votes.push(response.request().postDataJSON());
    }
  });
  return session;
}

/** What recordings of an older agent lack is in no column of the export. */
const NO_COLUMNS = [
  "cdf",
  "counters",
  "receiver_counters",
  "tcp_info",
  "copies",
  "share_later_than_50_ms",
];

/** A session's numbers under the export's column names. */
function columns(result: object, path: readonly string[] = []): [string, number][] {
  return Object.entries(result).flatMap(([name, value]): [string, number][] => {
    if (NO_COLUMNS.includes(name)) return [];
    const here = name === "metrics" ? path : [...path, name];
    if (typeof value === "number") return [[here.join("_"), value]];
    return columns(value as object, here);
  });
}

function expectMeasured(row: Row, place: "first" | "second", study: Overview): void {
  const recordings = study.trials.flatMap((trial) => trial.recordings);
  const id = Number(row[`${place}_recording`]);
  const recording = recordings.find((candidate) => candidate.id === id);
  expect(recording, `recording ${id} of the export is in the overview`).toBeDefined();
  if (!recording) return;
  expect(row[`${place}_condition`]).toBe(recording.condition.name);
  expect(row[`${place}_mode`]).toBe(recording.condition.mode);
  const numbers = columns(recording.result);
  expect(numbers.length).toBeGreaterThan(50);
  for (const [name, value] of numbers) {
    expect(Number(row[`${place}_${name}`]), `${place}_${name}`).toBeCloseTo(value, 6);
  }
}

test("three votes are exported with the measurements of what was heard", async ({
  page,
  browser,
}) => {
  const session = await watch(page);
  await join(page);
  await checkSound(page);
  for (const [index, choice] of CHOICES.entries()) await doTrial(page, index + 1, choice);
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeFocused();
  await expect(page.locator(".code")).toHaveText(/\w{4,}/);
  await expectAccessible(page);

  const desk = await openDesk(browser);
  await openStudy(desk);
  const rows = await download(desk, "Export votes");
  const study = await overview(desk);

  const mine = session.votes.map((vote) => {
    const found = rows.filter((row) => Number(row.decision_ms) === vote.decision_ms);
    expect(found, "each vote is one row").toHaveLength(1);
    return { vote, row: found[0] as Row };
  });
  expect(mine.map(({ row }) => row.choice)).toEqual(CHOICES);
  expect(new Set(mine.map(({ row }) => row.participant)).size).toBe(1);
  expect(mine.map(({ row }) => row.trial).sort()).toEqual(study.trials.map(({ id }) => id).sort());

  for (const { vote, row } of mine) {
    const trial = session.trials.find((shown) => shown.trial_token === vote.trial_token);
    for (const place of ["first", "second"] as const) {
      const sha256 = session.files.get(trial?.[place].recording_token ?? "");
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(row[`${place}_recording_sha256`]).toBe(sha256);
      expectMeasured(row, place, study);
    }
    expect(Number(row.switches)).toBe(vote.switches);
    expect(Number(row.plays_first)).toBe(vote.plays_first);
  }
});

test("the control is one recording under two tokens; pairs are two recordings", async ({
  browser,
}) => {
  const desk = await openDesk(browser);
  await openStudy(desk);
  const rows = await download(desk, "Export votes");
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    const same = row.first_recording === row.second_recording;
    expect(same).toBe(row.control?.toLowerCase() === "true");
  }
});

test("the codebook explains every column of the export", async ({ browser }) => {
  const desk = await openDesk(browser);
  await openStudy(desk);
  const [row] = await download(desk, "Export votes");
  const codebook = await download(desk, "Codebook");
  const explained = codebook.map((entry) => Object.values(entry)[0]);
  expect(Object.keys(row ?? {}).sort()).toEqual([...explained].sort());
});
