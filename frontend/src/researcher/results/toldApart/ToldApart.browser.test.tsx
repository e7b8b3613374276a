// Two conditions told apart: shares of right answers with d′, also for whoever cannot see.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import type { DiscriminationFindings, StudyResults } from "../../../api/generated";
import { faultsOf } from "../../../design/accessible";
import { type Rendered, rendered } from "../../../design/rendered";
import { madeUpEstimate } from "../madeUpEstimate";
import { NO_RESULTS } from "../madeUpResults";
import { ToldApart } from "./ToldApart";

let shown: Rendered | null = null;

afterEach(() => shown?.close());

const SHARE = madeUpEstimate({
  value: 0.8,
  low: 0.56,
  high: 0.94,
  null_value: 0.5,
  p_value: 0.012,
  exploratory: false,
  votes: 20,
  participants: 20,
  recordings: 3,
  scope: "other_losses",
  parameter: { name: "d-prime", value: 1.95, low: 0.7, high: null },
  sentence: "X was told rightly in 16 of 20 votes.",
});
const WHOLE: DiscriminationFindings = {
  block: "main",
  trial_id: null,
  condition_a: "plain",
  condition_b: "modified",
  clip: null,
  primary: false,
  participants: 20,
  trials: 2,
  right: 16,
  wrong: 4,
  share: SHARE,
  runs: [],
};
const TRIAL: DiscriminationFindings = { ...WHOLE, trial_id: "one", clip: "speech", trials: 1 };
const RESULTS: StudyResults = {
  ...NO_RESULTS,
  discriminations: [
    WHOLE,
    { ...TRIAL, primary: true },
    // Named the other way round in the file.
    { ...TRIAL, trial_id: "two", condition_a: "modified", condition_b: "plain" },
    { ...TRIAL, trial_id: "none", share: null },
  ],
};

test("what was told apart is a share of right answers, over all trials and in each", async () => {
  shown = rendered(<ToldApart results={RESULTS} />);
  const { place } = shown;
  await vi.waitUntil(() => place.querySelector("h2"));
  const text = place.textContent ?? "";
  expect(place.querySelector("h2")?.textContent).toBe("modified told from plain ");
  expect(text).toContain("Whoever hears no difference is right in half of all trials.");
  expect(text).toContain("over 2 trials · 20 participants, 3 recordings · p = 0.012");
  expect(text).toContain("16 right, 4 wrong · d′ 1.95 (0.70 to ∞)");
  expect(text).toContain("one Primary");
  expect(text).toContain("two");
  expect(text).not.toContain("none ");
  expect(await faultsOf(place)).toEqual([]);
});

test("a study that asks for no X shows nothing of it", () => {
  shown = rendered(<ToldApart results={{ ...RESULTS, discriminations: [] }} />);
  expect(shown.place.textContent).toBe("");
});
