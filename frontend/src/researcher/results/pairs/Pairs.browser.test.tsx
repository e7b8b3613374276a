// Two conditions compared: runs can be looked at, and are told to whoever cannot see.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import type { Estimate, StudyResults } from "../../../api/generated";
import { faultsOf } from "../../../design/accessible";
import { type Rendered, rendered } from "../../../design/rendered";
import { madeUpEstimate } from "../madeUpEstimate";
import { NO_RESULTS } from "../madeUpResults";
import { Pairs } from "./Pairs";

let shown: Rendered | null = null;

afterEach(() => shown?.close());

const share = (value: number, low: number, high: number) =>
  madeUpEstimate({
    value,
    low,
    high,
    null_value: 0.5,
    p_value: 0.012,
    exploratory: false,
    votes: 48,
    participants: 48,
    recordings: 3,
    scope: "other_losses",
    these: { low: 0.65, high: 0.9, p_value: 0.0001 },
    sentence: "modified was preferred to plain in 38 of 48 votes.",
  });
const ALONE: Estimate = {
  ...share(0.75, 0.48, 0.93),
  recordings: 1,
  scope: "these_recordings",
  these: null,
};
const COMMON = {
  block: "main",
  condition_a: "plain",
  condition_b: "modified",
  scale: "preference",
  participants: 48,
  votes_a: 10,
  votes_b: 38,
  votes_none: 0,
  histogram: {},
  share: share(0.79, 0.56, 0.92),
  preference: share(0.8, 0.6, 0.92),
  mean: null,
  order_effect: null,
  ties: null,
} as const;
const RESULTS: StudyResults = {
  ...NO_RESULTS,
  trials: [
    {
      ...COMMON,
      trial_id: "podcast",
      clip: "speech",
      primary: true,
      runs: [
        { run: 0, votes: 16, identical: false, estimate: ALONE },
        { run: 1, votes: 16, identical: false, estimate: null },
        { run: 2, votes: 16, identical: true, estimate: ALONE },
      ],
    },
  ],
  comparisons: [{ ...COMMON, trials: 1, majority: null }],
};

test("a trial says what it generalises to, and its runs can be looked at", async () => {
  shown = rendered(<Pairs results={RESULTS} />);
  const { place } = shown;
  await vi.waitFor(() =>
    expect(place.textContent).toContain("48 participants, 3 recordings · p = 0.012"),
  );
  expect(place.textContent).toContain(
    "Generalises to other participants and other losses of the same path. " +
      "Of these recordings alone: 65 % to 90 %, exploratory p < 0.001.",
  );
  const runs = place.querySelector("details");
  runs?.querySelector("summary")?.click();
  const rows = [...(runs?.querySelectorAll("tbody tr") ?? [])].map((row) => row.textContent);
  expect(rows).toEqual([
    "11675 %48 % to 93 %",
    "216––",
    "31675 %48 % to 93 %the same bytes: counted as a control",
  ]);
  expect(await faultsOf(place)).toEqual([]);
});
