// Two metrics weighed against each other, for tests: late against damaged.
// SPDX-License-Identifier: Apache-2.0
import type { RatedPoint, WeighedFindings, WeighedPoint } from "../../../api/generated";
import { madeUpEstimate } from "../madeUpEstimate";

export const madeUpPair = (told: Partial<WeighedPoint>): WeighedPoint => ({
  trial_id: "t",
  run: 0,
  apart: 0,
  other_apart: 0,
  votes_a: 0,
  votes_b: 0,
  votes_none: 0,
  ...told,
});

export const madeUpRated = (told: Partial<RatedPoint>): RatedPoint => ({
  trial_id: "t",
  run: 0,
  value: 0,
  other_value: 0,
  votes: 0,
  score: 3,
  ...told,
});

/** A ms of damage is worth half a ms of lateness, which is told in µs. */
export const MADE_UP_WEIGHED: WeighedFindings = {
  metric: "late",
  title: "Later than usual",
  unit: "µs",
  other: "damaged",
  other_title: "Damaged sound",
  other_unit: "ms",
  points: [
    madeUpPair({ trial_id: "t1", apart: 80_000, other_apart: -90, votes_a: 9, votes_b: 2 }),
    madeUpPair({ trial_id: "t2", apart: 20_000, other_apart: -120, votes_a: 3, votes_b: 24 }),
    madeUpPair({ trial_id: "t3", apart: 45_000, other_apart: -88, votes_a: 6, votes_b: 6 }),
    madeUpPair({ trial_id: "t3", run: 1, apart: -30_000, other_apart: 20, votes_b: 12 }),
  ],
  rated: [],
  worth: madeUpEstimate({ value: 500, low: 350, high: 700 }),
  sentence: "1 ms of “Damaged sound” counts as much as 0.50 ms of “Later than usual”.",
};

/** The same of ratings: what is late is rated lower, and so is what is damaged. */
export const MADE_UP_RATED: WeighedFindings = {
  ...MADE_UP_WEIGHED,
  points: [],
  rated: [
    madeUpRated({ trial_id: "clean", votes: 20, score: 4.4 }),
    madeUpRated({ trial_id: "late", value: 80_000, votes: 40, score: 2.1 }),
    madeUpRated({ trial_id: "late", run: 1, value: 40_000, votes: 10, score: 3.2 }),
    madeUpRated({ trial_id: "damaged", value: 4000, other_value: 120, votes: 30, score: 2.6 }),
  ],
};
