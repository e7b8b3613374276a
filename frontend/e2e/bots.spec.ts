// Simulated listeners drive the browser through a whole study: some prefer what
// was planted as better, one always takes the first, one loses the network in
// the middle. Each of their votes is in the export once, and says what they pressed.
// SPDX-License-Identifier: Apache-2.0
import { createHash } from "node:crypto";
import { type Browser, type BrowserContext, expect, type Page, test } from "@playwright/test";
import type { HeardTrial, VoteCast } from "../src/api/generated.ts";
import { openDesk } from "./desk.ts";
import { Listener } from "./listener.ts";
import { stack } from "./stack.ts";
import { shortened, throughUs } from "./through.ts";
import { exported, type Row } from "./votes.ts";

const STUDY = "demo";
const CHOICES = ["first", "second", "no_difference"] as const;
/** What the conditions' names are worth to a listener's ear: planted, not heard. */
const isBetter = (condition: string) => condition.startsWith("modified");

/** A listener's answer to two sounds, known by the conditions they were sent under. */
type Ear = (first: string, second: string) => (typeof CHOICES)[number];

const attentive: Ear = (first, second) => {
  if (isBetter(first) === isBetter(second)) return "no_difference";
  return isBetter(first) ? "first" : "second";
};
const sideBiased: Ear = () => "first";

interface Bot {
  readonly ear: Ear;
  readonly losesNetwork?: true;
}

const BOTS: readonly Bot[] = [
  { ear: attentive },
  { ear: attentive },
  { ear: sideBiased },
  { ear: attentive, losesNetwork: true },
];

/** Which condition made a sound, by its content: what only the researcher's side knows. */
async function conditionsBySound(desk: Page): Promise<Map<string, string>> {
  const api = `${stack().url}/api/researcher`;
  const answer = await desk.request.get(`${api}/studies/${STUDY}/recordings`);
  const { trials } = (await answer.json()) as {
    trials: {
      runs: { members: { id: number | null; condition: { name: string } }[] }[];
    }[];
  };
  const found = new Map<string, string>();
  for (const { runs } of trials) {
    for (const { id, condition } of runs.flatMap(({ members }) => members)) {
      const audio = await desk.request.get(`${api}/recordings/${id}/audio`);
      found.set(sha256(await audio.body()), condition.name);
    }
  }
  return found;
}

const sha256 = (body: Buffer) => createHash("sha256").update(body).digest("hex");

interface Pressed {
  readonly vote: VoteCast;
  /** The trial's. */
  readonly position: number;
  readonly conditions: readonly string[];
}

/** Takes part; resolves to what was pressed, as the page sent it. */
async function listen(
  browser: Browser,
  { ear, losesNetwork }: Bot,
  names: ReadonlyMap<string, string>,
): Promise<Pressed[]> {
  const context = await browser.newContext();
  const sounds = new Map<string, string>();
  await throughUs(context, (passing) => {
    sounds.set(passing.recording_token, names.get(sha256(passing.body)) ?? "unknown");
    return shortened(passing);
  });
  const conditionsOf = ({ first, second }: HeardTrial) =>
    [first, second ?? first].map(({ recording_token }) => sounds.get(recording_token) ?? "");
  const page = await context.newPage();
  const sent = new Map<string, VoteCast>();
  page.on("request", (request) => {
    if (!request.url().endsWith("/api/participation/votes")) return;
    const vote = request.postDataJSON() as VoteCast;
    sent.set(vote.vote_key, vote);
  });
  const listener = await Listener.at(page, {
    slug: STUDY,
    choose: (trial) => {
      const [first = "", second = ""] = conditionsOf(trial);
      return CHOICES.indexOf(ear(first, second));
    },
    onMoment: async (_, moment, trial) => {
      if (losesNetwork && trial?.position === 2) await cut(page, context, moment);
    },
  });
  await listener.takePart();
  await context.close();
  const trials = new Map(listener.trials.map((trial) => [trial.trial_token, trial]));
  return [...sent.values()].map((vote) => {
    const trial = trials.get(vote.trial_token);
    if (!trial) throw new Error("A vote was sent for a trial that was never opened.");
    return { vote, position: trial.position, conditions: conditionsOf(trial) };
  });
}

/** The network stops as a trial begins, and comes back when its answer waits. */
async function cut(page: Page, context: BrowserContext, moment: string): Promise<void> {
  if (moment === "trial") {
    await page.waitForLoadState("networkidle");
    await context.setOffline(true);
  } else if (moment === "chosen") {
    const lost = page.getByText("We cannot reach the study server.");
    void lost.waitFor().then(() => context.setOffline(false));
  }
}

/** The rows of whoever took as long over each trial as this listener: other listeners have single
 * times in common. */
function rowsOf(pressed: readonly Pressed[], rows: readonly Row[]): Row[] {
  const told = pressed.map(({ vote }) => String(vote.decision_ms)).sort();
  const people = [...new Set(rows.map(({ participant }) => participant))];
  const mine = people
    .map((person) => rows.filter(({ participant }) => participant === person))
    .filter((theirs) => `${theirs.map((row) => row.decision_ms).sort()}` === `${told}`);
  expect(mine, "each listener's votes are one participant's rows").toHaveLength(1);
  return mine.flat();
}

function expectStored({ vote, position, conditions }: Pressed, rows: readonly Row[]): void {
  const mine = rows.filter((row) => Number(row.position) === position);
  expect(mine, "each vote is one row").toHaveLength(1);
  const [row] = mine;
  expect(Number(row?.decision_ms)).toBe(vote.decision_ms);
  expect(row?.choice).toBe(vote.choice);
  expect([row?.first_condition, row?.second_condition]).toEqual(conditions);
}

test("what simulated listeners press is what is exported, once", async ({ browser }) => {
  const desk = await openDesk(browser);
  const names = await conditionsBySound(desk);
  const pressed = await Promise.all(BOTS.map((bot) => listen(browser, bot, names)));
  const rows = await exported(desk, "export", STUDY);
  for (const [index, votes] of pressed.entries()) {
    expect(votes).toHaveLength(3);
    const mine = rowsOf(votes, rows);
    for (const one of votes) expectStored(one, mine);
    for (const { vote, conditions } of votes) {
      const [first = "", second = ""] = conditions;
      expect(vote.choice).toBe(BOTS[index]?.ear(first, second));
    }
  }
  // The planted preference is a preference for what was made better, on whichever side.
  const honest = pressed[0]?.filter(({ vote }) => vote.choice !== "no_difference") ?? [];
  expect(honest).toHaveLength(2);
});
