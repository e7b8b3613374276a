// Changes in the course of a session: shares and scores on scales of their own.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import type { PositionFindings } from "../../../api/generated";
import { faultsOf } from "../../../design/accessible";
import { type Rendered, rendered } from "../../../design/rendered";
import { madeUpEstimate } from "../madeUpEstimate";
import { NO_RESULTS } from "../madeUpResults";
import { Position } from "./Position";

let shown: Rendered | null = null;

afterEach(() => shown?.close());

const change = (value: number, sentence: string) =>
  madeUpEstimate({ value, low: value - 0.1, high: value + 0.1, null_value: 0, sentence });

const CCR: PositionFindings = {
  block: "pairs",
  scale: "ccr",
  answer: change(-0.2, "pairs: the score changed by −0.20."),
  told: change(-0.05, "pairs: the share changed by −0.05."),
};

async function page(...positions: PositionFindings[]): Promise<HTMLElement> {
  shown = rendered(<Position results={{ ...NO_RESULTS, positions }} />);
  const { place } = shown;
  await vi.waitFor(() => expect(place.childElementCount).toBeGreaterThan(0));
  return place;
}

test("shares and scores are drawn apart, and told to whoever cannot see", async () => {
  const place = await page(CCR, { ...CCR, block: "opinions", scale: "acr", told: null });
  const [shares, scores] = [...place.querySelectorAll("ol")].map((list) => list.textContent);
  expect(shares).toContain("Share that tells of a difference");
  expect(shares).toContain("pairs: the share changed by −0.05.");
  expect(shares).not.toContain("Score");
  expect(scores).toContain("Score of the second-named");
  expect(scores).toContain("pairs: the score changed by −0.20.");
  expect(place.textContent).toContain("opinions");
  expect(await faultsOf(place)).toEqual([]);
});

test("a study in which nothing can be told has no such card", () => {
  shown = rendered(<Position results={NO_RESULTS} />);
  expect(shown.place.textContent).toBe("");
});
