// What the presenter's screen, and so the room, sees of a vote.
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { PollState } from "../../api/generated";
import { Votes } from "./Votes";

const poll: PollState = {
  number: 1,
  question: "Which sounds better?",
  open: false,
  choices: [
    { letter: "A", lane: 1, name: "all", votes: 12 },
    { letter: "B", lane: 0, name: "off", votes: 1 },
  ],
  no_difference: 3,
  votes: 16,
  revealed: false,
};

const words = (shown: PollState, told: boolean): string =>
  renderToStaticMarkup(<Votes poll={shown} told={told} />);

test("a result tells what each letter was, once that may be known", () => {
  const shown = words(poll, true);
  for (const row of ["A – all: 12 votes", "B – off: 1 vote", "No difference: 3 votes"]) {
    expect(shown).toContain(row);
  }
  expect(shown).toContain("<dt>A – all</dt>");
});

test("before that it tells letters alone", () => {
  const shown = words(poll, false);
  expect(shown).toContain("A: 12 votes");
  expect(shown).not.toMatch(/\b(all|off)\b/);
});

test("while it is open, neither names nor how it stands are told", () => {
  for (const told of [true, false]) {
    const shown = words({ ...poll, open: true }, told);
    expect(shown).toContain("16 votes so far");
    expect(shown).not.toMatch(/\b(12|all|off)\b/);
  }
});
