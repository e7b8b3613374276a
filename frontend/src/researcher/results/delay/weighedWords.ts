// What a plot of two metrics weighed against each other shows, in words.
// SPDX-License-Identifier: Apache-2.0
import type { WeighedFindings } from "../../../api/generated";
import { percent } from "../../../staff/format";
import { isRated, type Rating, type Side, type Sign, saidLine } from "./weighed";

export const SIDES: Readonly<Record<Side, string>> = {
  a: "More votes for a",
  b: "More votes for b",
  both: "As many for each",
};

export const RATINGS: Readonly<Record<Rating, string>> = {
  low: "Mean rating below 2.5",
  middle: "2.5 to 3.5",
  high: "3.5 or more",
};

/** What each mark stands for, in the order of the legend. */
export const signsOf = (found: WeighedFindings): readonly (readonly [Sign, string])[] =>
  Object.entries(isRated(found) ? RATINGS : SIDES) as [Sign, string][];

export const lineName = (found: WeighedFindings): string =>
  isRated(found) ? "Equal rating" : "Equal preference";

/** Of so many. */
export const unitsOf = (found: WeighedFindings): string =>
  isRated(found) ? "recording" : "pair of recordings";

/** Of the picture, where it leaves the page. */
export const weighedTitle = (block: string, { title, other_title }: WeighedFindings): string =>
  `“${title}” against “${other_title}” · ${block}`;

export function weighedNote(found: WeighedFindings, confidence: number): string {
  const line = saidLine(found);
  const banded = found.worth?.low != null && found.worth.high != null;
  return [
    `A mark is a ${unitsOf(found)}, as large as it has votes.`,
    ...(line === null ? [] : [line]),
    ...(banded ? [`The band holds ${percent(confidence)}.`] : []),
  ].join(" ");
}
