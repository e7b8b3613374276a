// What is said of whom and what an interval is about.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { Estimate } from "../../api/generated";
import { madeUpEstimate } from "./madeUpEstimate";
import { reach } from "./Runs";
import { SHARES } from "./scale";

const THESE = madeUpEstimate({
  value: 0.7,
  low: 0.6,
  high: 0.8,
  null_value: 0.5,
  p_value: 0.01,
  votes: 48,
  participants: 48,
});
const OTHERS: Estimate = {
  ...THESE,
  recordings: 3,
  scope: "other_losses",
  these: { low: 0.65, high: 0.75, p_value: 0.02 },
};

test("a finding says what it generalises to", () => {
  expect(reach(THESE, SHARES)).toBe("Generalises to other participants, with these recordings.");
  expect(reach(OTHERS, SHARES)).toBe(
    "Generalises to other participants and other losses of the same path. " +
      "Of these recordings alone: 65 % to 75 %, exploratory p = 0.020.",
  );
});

test("nothing is said of what has no interval", () => {
  expect(reach({ ...OTHERS, too_few: true }, SHARES)).toBeNull();
  expect(reach({ ...THESE, low: null, high: null }, SHARES)).toBeNull();
});
