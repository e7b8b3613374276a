// What is said of an experiment, in whatever state it is.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { experiment, run } from "./madeUp";
import { outcomesOf, progressOf, size, stateOf, timeLeft } from "./wording";

test("an experiment's state is one word, the most pressing one", () => {
  expect(stateOf(experiment({ results: null })).word).toBe("Not run yet");
  const ended = run({ stage: "ended" });
  expect(stateOf(experiment({ results: null, reading: true, run: ended })).word).toBe("Being read");
  expect(stateOf(experiment()).word).toBe("Results");
  expect(stateOf(experiment({ results: null, run: run({ stage: "ended" }) })).word).toBe(
    "No results",
  );
  expect(stateOf(experiment({ run: run({ stage: "stopped" }) })).word).toBe("Stopped");
  expect(stateOf(experiment({ results: null, results_problem: "older" })).word).toBe(
    "Run it again",
  );
  expect(stateOf(experiment({ problem: "a.yaml:3" })).word).toBe("Cannot be read");
  expect(stateOf(experiment({ problem: "a.yaml:3", run: run() })).word).toBe("Running");
});

test("a run's progress says what is through, what failed, and how long it takes", () => {
  expect(progressOf(run())).toBe("40 of 5000 sessions · about 5 minutes left");
  expect(progressOf(run({ failed: 2, left_s: null }))).toBe("40 of 5000 sessions · 2 failed");
  expect(progressOf(run({ wanted: 0, through: 0, left_s: null }))).toBe(
    "The lab host is being started.",
  );
});

test("time is told as coarsely as it is known", () => {
  expect(timeLeft(null)).toBe("");
  expect(timeLeft(0)).toBe("about 1 second left");
  expect(timeLeft(89)).toBe("about 89 seconds left");
  expect(timeLeft(90)).toBe("about 2 minutes left");
  expect(timeLeft(2 * 3600 + 60)).toBe("about 2 hours 1 minute left");
});

test("outcomes leave out what was not asked", () => {
  expect(outcomesOf(experiment())).toEqual([
    "12 of 12 sessions",
    "3 of 4 requirements hold",
    "1 of 1 published figure agree",
  ]);
  const plain = experiment();
  const results = plain.results && { ...plain.results, requirements: 0, compared: 0, sessions: 9 };
  expect(outcomesOf({ ...plain, results })).toEqual(["9 of 12 sessions"]);
  expect(outcomesOf(experiment({ results: null }))).toEqual([]);
});

test("sizes", () => {
  expect([size(10), size(52_300), size(1_250_000)]).toEqual(["1 kB", "52 kB", "1.3 MB"]);
});
