// Thresholds: drawn, and told to whoever cannot see; nothing where there is no staircase.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import type { StaircaseFindings } from "../../../api/generated";
import { faultsOf } from "../../../design/accessible";
import { type Rendered, rendered } from "../../../design/rendered";
import { NO_RESULTS } from "../madeUpResults";
import { Adaptive } from "./Adaptive";

let shown: Rendered | null = null;

afterEach(() => shown?.close());

const FOUND: StaircaseFindings = {
  block: "staircase",
  clip: "speech_b",
  quantity: "loss_share",
  levels: [
    { level: 0.01, votes: 3, right: 1 },
    { level: 0.1, votes: 5, right: 5 },
  ],
  people: [
    {
      participant: "p-1",
      threshold: 0.023,
      low: 0.004,
      high: 0.05,
      sd_decades: 0.2,
      beyond: true,
      recordings: 2,
      steps: [
        { level: 0.01, right: false },
        { level: 0.1, right: true },
      ],
    },
  ],
  group: { threshold: 0.02, low: 0.01, high: 0.04, between_factor: 1.4 },
  curve: [
    { level: 0.005, share: 0.55 },
    { level: 0.2, share: 0.98 },
  ],
  votes: 8,
  recordings: 4,
  method: "QUEST+ posterior",
  sentence: "staircase, speech_b: the typical listener's threshold is 2 % loss.",
};

async function page(...staircases: StaircaseFindings[]): Promise<HTMLElement> {
  shown = rendered(<Adaptive results={{ ...NO_RESULTS, staircases }} />);
  const { place } = shown;
  await vi.waitFor(() => expect(place.childElementCount).toBeGreaterThan(0));
  return place;
}

test("a threshold is said, drawn, and in a table", async () => {
  const place = await page(FOUND);
  expect(place.textContent).toContain("the typical listener's threshold is 2 % loss.");
  expect(place.textContent).toContain("0.4 % to 5 %, beyond the levels");
  const told = [...place.querySelectorAll("[role=img]")].map((one) =>
    one.getAttribute("aria-label"),
  );
  expect(told).toEqual([
    "Share of right answers over loss, 2 levels; all numbers are in the tables below",
    "p-1: 1 of 2 answers right, threshold 2.3 %",
  ]);
  expect(await faultsOf(place)).toEqual([]);
});

test("two people have staircases, and nothing in common yet", async () => {
  const place = await page({ ...FOUND, group: null, curve: [] });
  expect(place.querySelectorAll("figure")).toHaveLength(1);
  expect(place.querySelector("polyline")).not.toBeNull();
});

test("a study without adaptive blocks has no such card", () => {
  shown = rendered(<Adaptive results={NO_RESULTS} />);
  expect(shown.place.textContent).toBe("");
});
