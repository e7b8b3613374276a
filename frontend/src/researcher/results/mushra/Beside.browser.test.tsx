// Scores beside a reference, as the researcher sees them: boxes within the card, and a plot to take.
// SPDX-License-Identifier: Apache-2.0
import "../../../design/tokens.css";
import "../../../design/base.css";
import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import type { BesideFindings } from "../../../api/generated";
import { faultsOf } from "../../../design/accessible";
import { type Rendered, rendered } from "../../../design/rendered";
import { madeUpEstimate } from "../madeUpEstimate";
import { NO_RESULTS } from "../madeUpResults";
import { Beside } from "./Beside";

const of = (condition: string, median: number, told: Partial<BesideFindings> = {}) => ({
  block: "main",
  condition,
  is_reference: false,
  clip: null,
  participants: 20,
  votes: 80,
  median,
  lower_quartile: Math.max(0, median - 12),
  upper_quartile: Math.min(100, median + 9),
  lower_whisker: Math.max(0, median - 25),
  upper_whisker: Math.min(100, median + 20),
  beyond: [],
  mean: madeUpEstimate({ value: median - 2, low: median - 8, high: median + 4, votes: 80 }),
  ...told,
});

const results = {
  ...NO_RESULTS,
  beside: [
    of("whole-clip", 100, { is_reference: true, beyond: [55, 55, 60] }),
    of("low-anchor", 21),
    of("mid-anchor", 63),
    of("plain", 45, { beyond: [100] }),
    of("modified", 58),
  ],
  beside_differences: [
    {
      block: "main",
      condition_a: "whole-clip",
      condition_b: "plain",
      to_reference: true,
      primary: false,
      difference: madeUpEstimate({ value: -53, low: -61, high: -45, null_value: 0, p_value: 1e-5 }),
    },
    {
      block: "main",
      condition_a: "plain",
      condition_b: "modified",
      to_reference: false,
      primary: false,
      difference: madeUpEstimate({ value: 12.5, low: 4, high: 21, null_value: 0, p_value: 0.01 }),
    },
  ],
};

let shown: Rendered;
afterEach(() => shown.close());

test.each([1280, 390])("boxes keep to their card, at %i px", async (width) => {
  await page.viewport(width, 900);
  shown = rendered(<Beside results={results} />);
  await expect.element(page.getByText("whole-clip (hidden reference)")).toBeVisible();
  await expect.element(page.getByText("plain against the hidden reference")).toBeVisible();
  await expect
    .element(page.getByRole("button", { name: "Copy plot: Scores beside the reference" }))
    .toBeVisible();
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  expect(await faultsOf(shown.place)).toEqual([]);
});

test("a study without such scores has no card", async () => {
  shown = rendered(<Beside results={NO_RESULTS} />);
  await expect.poll(() => shown.place.childElementCount).toBe(0);
});
