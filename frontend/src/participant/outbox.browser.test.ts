// The outbox in the browser's real database, against a server that fails.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from "vitest";
import { Problem } from "../api/client";
import type { VoteCast } from "../api/generated";
import { deliver, keep, waiting } from "./outbox";

const realFetch = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = realFetch;
});

const vote = (): VoteCast => ({
  trial_token: "t".repeat(24),
  vote_key: crypto.randomUUID(),
  choice: "first",
  plays_first: 1,
  plays_second: 1,
  switches: 2,
  decision_ms: 9_000,
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

const votesOf = async (participant: string) =>
  (await waiting(participant)).map((letter) => letter.vote.vote_key);

test("an answer stays until the server has confirmed it, through loss and failure", async () => {
  const participant_token = crypto.randomUUID();
  const cast = vote();
  await keep({ vote: cast, participant_token });
  const seen = serving("down", problem(503, "unavailable"), receipt(201));
  const delivery = deliver(participant_token);
  expect(await votesOf(participant_token)).toEqual([cast.vote_key]);
  await delivery;
  expect(await votesOf(participant_token)).toEqual([]);
  const bodies = await Promise.all(seen.map((request) => request.json()));
  expect(bodies).toEqual([cast, cast, cast]);
  expect(seen[0]?.headers.get("Authorization")).toBe(`Bearer ${participant_token}`);
});

test("an answer that the trial already has does not block the way", async () => {
  const participant_token = crypto.randomUUID();
  await keep({ vote: vote(), participant_token });
  serving(problem(409, "voted"));
  await deliver(participant_token);
  expect(await votesOf(participant_token)).toEqual([]);
});

test("an answer that the server refuses otherwise is kept and reported", async () => {
  const participant_token = crypto.randomUUID();
  const cast = vote();
  await keep({ vote: cast, participant_token });
  serving(problem(401, "unknown-participant"));
  await expect(deliver(participant_token)).rejects.toBeInstanceOf(Problem);
  expect(await votesOf(participant_token)).toEqual([cast.vote_key]);
});

test("one participant's delivery leaves another's answers alone", async () => {
  const [mine, theirs] = [crypto.randomUUID(), crypto.randomUUID()];
  const cast = vote();
  await keep({ vote: cast, participant_token: theirs });
  serving();
  await deliver(mine);
  expect(await votesOf(theirs)).toEqual([cast.vote_key]);
});
