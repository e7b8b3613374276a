// What was to decide: the band of what would not matter, the verdict, and the p-values.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import type { HypothesisFindings, StudyResults } from "../../../api/generated";
import { faultsOf } from "../../../design/accessible";
import { type Rendered, rendered } from "../../../design/rendered";
import { madeUpEstimate } from "../madeUpEstimate";
import { NO_RESULTS } from "../madeUpResults";
import { Hypotheses } from "./Hypotheses";

let shown: Rendered | null = null;

afterEach(() => shown?.close());

const ESTIMATE = madeUpEstimate({
  low: 0.44,
  high: 0.56,
  null_value: 0.5,
  exploratory: false,
  votes: 300,
  participants: 300,
  recordings: 3,
  scope: "other_losses",
  sentence: "modified was preferred to plain in 150 of 300 votes.",
});
const EQUAL: HypothesisFindings = {
  id: "podcast",
  unit: "share",
  trials: ["podcast"],
  condition_a: "plain",
  condition_b: "modified",
  direction: "modified",
  smallest_effect: 0.1,
  estimate: ESTIMATE,
  p_value: 0.5,
  p_adjusted: 0.9,
  equivalence_confidence: 0.9,
  equivalence_low: 0.45,
  equivalence_high: 0.55,
  equivalence_p: 0.0002,
  equivalence_p_adjusted: 0.0004,
  verdict: "no_difference",
  sentence: "podcast: there is no difference that matters.",
};
const UNHEARD: HypothesisFindings = {
  ...EQUAL,
  id: "song",
  estimate: null,
  verdict: "too_few",
  sentence: "song: there are no votes to test it by.",
};
const RESULTS: StudyResults = { ...NO_RESULTS, hypotheses: [EQUAL, UNHEARD] };

test("a hypothesis tells its direction, what matters, its verdict and corrected tests", async () => {
  shown = rendered(<Hypotheses results={RESULTS} />);
  const { place } = shown;
  await vi.waitFor(() => expect(place.textContent).toContain("podcast No difference that matters"));
  expect(place.textContent).toContain(
    "matters from 40 % or 60 % · difference: one-sided p = 0.900 · none that matters: p < 0.001",
  );
  expect(place.textContent).toContain("modified against plain · modified expected better");
  expect(place.textContent).toContain("the interval of 90 % lies within it");
  expect(place.textContent).toContain(UNHEARD.sentence);
  const bands = [...place.querySelectorAll<HTMLElement>("[style*='width: 20%']")];
  expect(bands.map(({ style }) => style.left)).toEqual(["40%"]);
  expect(await faultsOf(place)).toEqual([]);
});

test("a study of primary trials has no such card", () => {
  shown = rendered(<Hypotheses results={{ ...RESULTS, hypotheses: [] }} />);
  expect(shown.place.textContent).toBe("");
});
