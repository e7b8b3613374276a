// What can be answered, in which order, by which key.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { OpenTrial } from "../api/generated";
import english from "../language/texts/en";
import { speaker } from "../language/translation";
import { optionsOf } from "./options";

const say = speaker(english, "en");
const offered = (scale: OpenTrial["scale"]) =>
  optionsOf({ scale }, say).map(({ key, label, answer }) => [key, label, answer]);

test("a preference has a third answer only where the study declares one", () => {
  const answers = { first: "The first", second: "The second", no_difference: "None" };
  const scale = { kind: "preference", question: "Which?", noticeable: null } as const;
  expect(offered({ ...scale, answers })).toEqual([
    ["F", "The first", { choice: "first" }],
    ["S", "The second", { choice: "second" }],
    ["N", "None", { choice: "no_difference" }],
  ]);
  expect(offered({ ...scale, answers: { ...answers, no_difference: null } })).toHaveLength(2);
});

test("scores go from the best to the worst, in whichever order they came", () => {
  const labels = [-3, 3, 0, -1, 1, 2, -2].map((score) => ({ score, label: `is ${score}` }));
  const ccr = offered({ kind: "ccr", question: "Compared?", labels });
  expect(ccr.map(([key]) => key).join("")).toBe("ABCDEFG");
  expect(ccr.map(([, label]) => label)).toEqual([3, 2, 1, 0, -1, -2, -3].map((n) => `is ${n}`));
  expect(ccr[0]?.[2]).toEqual({ score: 3 });
});

test("X is the first or the second, by the letters that the page calls them", () => {
  const answers = { first: "X is A", second: "X is B" };
  expect(offered({ kind: "abx", question: "Which?", answers })).toEqual([
    ["A", "X is A", { choice: "first" }],
    ["B", "X is B", { choice: "second" }],
  ]);
});

test("a score of one recording is its own key", () => {
  const labels = [1, 2, 3, 4, 5].map((score) => ({ score, label: `${score}` }));
  const acr = offered({ kind: "acr", question: "How good?", labels });
  expect(acr.map(([key]) => key)).toEqual(["5", "4", "3", "2", "1"]);
  const dcr = offered({ kind: "dcr", question: "How much worse?", labels });
  expect(dcr.map(([key]) => key)).toEqual(["5", "4", "3", "2", "1"]);
});
