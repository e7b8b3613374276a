// What a plot of two metrics weighed against each other shows, in words.
// SPDX-License-Identifier: Apache-2.0
import type { WeighedFindings } from "../../../api/generated";
import { percent } from "../../../staff/format";
import { type Side, saidLine } from "./weighed";

export const SIDES: Readonly<Record<Side, string>> = {
  a: "More votes for a",
  b: "More votes for b",
  both: "As many for each",
};

export const LINE = "Equal preference";

/** Of the picture, where it leaves the page. */
export const weighedTitle = (block: string, { title, other_title }: WeighedFindings): string =>
  `“${title}” against “${other_title}” · ${block}`;

export function weighedNote(found: WeighedFindings, confidence: number): string {
  const line = saidLine(found);
  const banded = found.worth?.low != null && found.worth.high != null;
  return [
    "A mark is a pair of recordings, as large as it has votes.",
    ...(line === null ? [] : [line]),
    ...(banded ? [`The band holds ${percent(confidence)}.`] : []),
  ].join(" ");
}
