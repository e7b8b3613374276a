// A published count, what it foretells, and ours: three rows that can be read.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import type { ReplicationFindings, StudyResults } from "../../../api/generated";
import { faultsOf } from "../../../design/accessible";
import { type Rendered, rendered } from "../../../design/rendered";
import { madeUpEstimate } from "../madeUpEstimate";
import { Replications } from "./Replications";

let shown: Rendered | null = null;

afterEach(() => shown?.close());

const estimate = (value: number, low: number, high: number, sentence: string) =>
  madeUpEstimate({ value, low, high, votes: 108, participants: 108, recordings: 9, sentence });

const ALONE: ReplicationFindings = {
  trial_id: "song",
  condition: "modified",
  among: "all",
  source: "Petlund et al. (LCN 2008), section V-B",
  differs: "Skype.",
  published_count: 84,
  published_of: 88,
  published: estimate(84 / 88, 0.88769, 0.98748, "Published: 84 of 88."),
  count: null,
  of: null,
  ours: null,
  predicted: null,
  predicted_low: null,
  predicted_high: null,
  inside: null,
  sentence: "Published: 84 of 88.",
};

const BESIDE: ReplicationFindings = {
  ...ALONE,
  count: 90,
  of: 108,
  ours: estimate(90 / 108, 0.749, 0.898, "Here: 90 of 108."),
  predicted: estimate(0.949, 95 / 108, 1, "A replication has 95 to 108 of them."),
  predicted_low: 95,
  predicted_high: 108,
  inside: false,
};

async function page(...replications: ReplicationFindings[]): Promise<HTMLElement> {
  const results = { replications, confidence: 0.95 } as unknown as StudyResults;
  shown = rendered(<Replications results={results} />);
  const { place } = shown;
  await vi.waitFor(() => expect(place.childElementCount).toBeGreaterThan(0));
  return place;
}

const rows = (place: HTMLElement) =>
  [...place.querySelectorAll("li")].map((row) => row.textContent?.replaceAll(/\s+/g, " "));

test("a published count stands alone while nobody has voted", async () => {
  const place = await page(ALONE);
  expect(rows(place)).toHaveLength(1);
  expect(rows(place)[0]).toContain("Published84 of 88");
  expect(rows(place)[0]).toContain("95.5 % 88.8 % to 98.7 %");
  expect(place.textContent).toContain("Otherwise than here: Skype.");
});

test("what it foretells and ours stand beside it", async () => {
  const place = await page(BESIDE);
  const [, foretold, here] = rows(place);
  expect(foretold).toContain("95 to 108 of 108");
  expect(here).toContain("Not as foretold");
  expect(here).toContain("90 of 108");
  // Whoever cannot see the plot has the sentences.
  expect(here).toContain("Here: 90 of 108.");
  expect(await faultsOf(place)).toEqual([]);
});
