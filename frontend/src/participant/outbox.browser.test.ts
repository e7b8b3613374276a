// The outbox in the browser's real database, against a server that fails.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from "vitest";
import { Problem } from "../api/client";
import type { VoteCast } from "../api/generated";
import { deliver, discardAll, keep, keptHere, type Letter, waiting } from "./outbox";

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

const vote = (): VoteCast => ({
  trial_token: "t".repeat(24),
  vote_key: crypto.randomUUID(),
  choice: "first",
  decision_ms: 9_000,
  account: { medium: "heard", plays_first: 1, plays_second: 1, switches: 2 },
});

/** A server that gives these answers in turn, and the requests it saw. */
function serving(...answers: (Response | "down")[]): Request[] {
  const seen: Request[] = [];
  globalThis.fetch = async (input, init) => {
    seen.push(new Request(input, init));
    const answer = answers.shift();
    if (!answer || answer === "down") throw new TypeError("Failed to fetch");
    return answer;
  };
  return seen;
}

const receipt = (status: number) =>
  Response.json({ position: 1, received_at: "2026-01-01T00:00:00Z" }, { status });
const problem = (status: number, kind: string) =>
  Response.json({ type: `/problems/${kind}`, title: kind, status }, { status });

const voteOf = (participant_token: string, body: VoteCast): Letter => ({
  to: "votes",
  body,
  participant_token,
});

const bodiesOf = async (participant: string) =>
  (await waiting(participant)).map(({ letter }) => letter.body);

const sentBy = (seen: readonly Request[]) =>
  Promise.all(seen.map(async (request) => [new URL(request.url).pathname, await request.json()]));

test("an answer stays until the server has confirmed it, through loss and failure", async () => {
  const participant_token = crypto.randomUUID();
  const cast = vote();
  await keep(voteOf(participant_token, cast));
  expect(keptHere.count()).toBe(1);
  const seen = serving("down", problem(503, "unavailable"), receipt(201));
  const delivery = deliver(participant_token);
  expect(await bodiesOf(participant_token)).toEqual([cast]);
  await delivery;
  expect(await bodiesOf(participant_token)).toEqual([]);
  expect(keptHere.count()).toBe(0);
  expect(seen[0]?.headers.get("Authorization")).toBe(`Bearer ${participant_token}`);
  const path = "/api/participation/votes";
  expect(await sentBy(seen)).toEqual([1, 2, 3].map(() => [path, cast]));
});

test("what was given goes in the order in which it was given", async () => {
  const participant_token = crypto.randomUUID();
  const checked = { level_percent: 60, headphones: null };
  const votes = Array.from({ length: 12 }, vote);
  const answers = { answers: { age: 42 } };
  await keep({ to: "sound-check", body: checked, participant_token });
  for (const cast of votes) await keep(voteOf(participant_token, cast));
  await keep({ to: "answers", body: answers, participant_token });
  const seen = serving(...Array.from({ length: 14 }, () => receipt(201)));
  await deliver(participant_token);
  expect(await sentBy(seen)).toEqual([
    ["/api/participation/sound-check", checked],
    ...votes.map((cast) => ["/api/participation/votes", cast]),
    ["/api/participation/answers", answers],
  ]);
});

test("an answer that the trial already has does not block the way", async () => {
  const participant_token = crypto.randomUUID();
  await keep(voteOf(participant_token, vote()));
  serving(problem(409, "voted"));
  await deliver(participant_token);
  expect(await bodiesOf(participant_token)).toEqual([]);
});

test("a letter that the server will not take is set aside and does not hold up the next", async () => {
  const participant_token = crypto.randomUUID();
  const [spoilt, good] = [vote(), vote()];
  await keep(voteOf(participant_token, spoilt));
  await keep(voteOf(participant_token, good));
  serving(problem(422, "invalid"), receipt(201));
  const refused = await deliver(participant_token);
  expect(refused.map(({ body }) => body)).toEqual([spoilt]);
  expect(keptHere.refused()).toBe(1);
  expect(await bodiesOf(participant_token)).toEqual([]);
});

test("answers of somebody whom the server does not know stay, and that is said", async () => {
  const participant_token = crypto.randomUUID();
  const cast = vote();
  await keep(voteOf(participant_token, cast));
  serving(problem(401, "unknown-participant"));
  await expect(deliver(participant_token)).rejects.toBeInstanceOf(Problem);
  expect(await bodiesOf(participant_token)).toEqual([cast]);
});

test("one participant's delivery leaves another's answers alone", async () => {
  const [mine, theirs] = [crypto.randomUUID(), crypto.randomUUID()];
  const cast = vote();
  await keep(voteOf(theirs, cast));
  serving();
  await deliver(mine);
  expect(await bodiesOf(theirs)).toEqual([cast]);
});

test("who withdraws leaves nothing behind on the device", async () => {
  const participant_token = crypto.randomUUID();
  await keep(voteOf(participant_token, vote()));
  await discardAll(participant_token);
  expect(await bodiesOf(participant_token)).toEqual([]);
});
