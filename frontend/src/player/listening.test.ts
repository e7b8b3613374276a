// Counts of plays, switches and time heard, and the gate before a vote.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { type Listening, type ListeningEvent, listen, mayVote, nothingHeard } from "./listening";

const BOTH = ["first", "second"] as const;

const after = (...events: ListeningEvent[]): Listening => events.reduce(listen, nothingHeard);

test("time counts for the member that sounds, and only while playing", () => {
  const state = after(
    { type: "play", at_s: 10 },
    { type: "choose", member: "second", at_s: 12 },
    { type: "stop", at_s: 15 },
    { type: "tick", at_s: 40 },
  );
  expect(state.heard_s).toMatchObject({ first: 2, second: 3, x: 0 });
});

test("choosing while silent is not a switch, and the next play belongs to the choice", () => {
  const state = after(
    { type: "choose", member: "second", at_s: 1 },
    { type: "play", at_s: 2 },
    { type: "choose", member: "first", at_s: 3 },
  );
  expect(state.startedWith).toBe("second");
  expect(state.plays).toMatchObject({ first: 0, second: 1, x: 0 });
  expect(state.switches).toBe(1);
});

test("choosing the member that already sounds changes nothing", () => {
  const state = after({ type: "play", at_s: 0 }, { type: "choose", member: "first", at_s: 1 });
  expect(state.switches).toBe(0);
  expect(state.heard_s.first).toBe(1);
});

test("playing twice without a stop counts once", () => {
  expect(after({ type: "play", at_s: 0 }, { type: "play", at_s: 1 }).plays.first).toBe(1);
});

test("where no share is asked for, a vote is open when both were heard for five seconds", () => {
  const first = after({ type: "play", at_s: 0 }, { type: "choose", member: "second", at_s: 60 });
  expect(mayVote(null, listen(first, { type: "tick", at_s: 64 }), 60, BOTH)).toBe(false);
  expect(mayVote(null, listen(first, { type: "tick", at_s: 65 }), 60, BOTH)).toBe(true);
});

test("of a clip shorter than five seconds the whole clip is enough", () => {
  const state = after(
    { type: "play", at_s: 0 },
    { type: "stop", at_s: 2 },
    { type: "choose", member: "second", at_s: 3 },
    { type: "play", at_s: 3 },
    { type: "stop", at_s: 5 },
  );
  expect(mayVote(null, state, 2, BOTH)).toBe(true);
  expect(mayVote(null, state, 2.5, BOTH)).toBe(false);
});

test("where there is one recording it alone opens the vote", () => {
  const state = after({ type: "play", at_s: 0 }, { type: "tick", at_s: 5 });
  expect(mayVote(null, state, 60, ["first"])).toBe(true);
  expect(mayVote(null, state, 60, BOTH)).toBe(false);
});

const heardParts = (...parts: [number, number][]): Listening =>
  parts.reduce<Listening>(
    (state, [from_s, to_s]) =>
      listen(state, {
        type: "tick",
        at_s: state.counted_s + to_s - from_s,
        sounded: [{ from_s, to_s }],
      }),
    after({ type: "play", at_s: 0 }),
  );

test("a share is of different parts: who repeats one passage has heard that passage", () => {
  const again = heardParts([0, 5], [0, 5], [0, 5], [0, 5]);
  expect(again.heard_s.first).toBe(20);
  expect(again.covered.first).toEqual([{ from_s: 0, to_s: 5 }]);
  expect(mayVote(0.8, again, 10, ["first"])).toBe(false);
  expect(mayVote(0.8, heardParts([0, 5], [7, 10]), 10, ["first"])).toBe(true);
});

test("what sounds belongs to the member that sounded until then", () => {
  const state = listen(after({ type: "play", at_s: 0 }), {
    type: "choose",
    member: "second",
    at_s: 4,
    sounded: [{ from_s: 0, to_s: 4 }],
  });
  expect(state.covered).toMatchObject({ first: [{ from_s: 0, to_s: 4 }], second: [], x: [] });
});

test("a share of nothing opens the vote at once", () => {
  expect(mayVote(0, nothingHeard, 60, BOTH)).toBe(true);
});
