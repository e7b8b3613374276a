// What a plot of votes over delay shows, in words.
// SPDX-License-Identifier: Apache-2.0
import type { DelayBlock } from "../../../api/generated";
import { differences, isRating, OPINIONS, type Scale, SHARES } from "../scale";

type VoteScale = DelayBlock["scale"];

const VALUES: Readonly<Record<VoteScale, string>> = {
  preference: "Share for the less delayed, of those who choose",
  ccr: "Score of the less delayed against the more delayed",
  acr: "Score",
  dcr: "Score by the reference",
};

const ABOUT: Readonly<Record<VoteScale, string>> = {
  preference:
    "The curve is the model of all votes, over participants and recordings that differ; the threshold is where three in four of those who choose choose the less delayed, lapses and order of presentation taken out.",
  ccr: "The curve is the model’s mean, over participants and recordings that differ; the threshold is where half of the votes find the less delayed better.",
  acr: "The curve is the model’s mean, over participants and recordings that differ; the threshold is where half of the votes say good or better.",
  dcr: "The curve is the model’s mean, over participants and recordings that differ; the threshold is where half of the votes hear no degradation, or none that annoys.",
};

/** What is drawn upwards. */
export const valueTitle = (scale: VoteScale): string => VALUES[scale];

/** What is drawn to the right. */
export const delayTitle = (scale: VoteScale, title: string): string =>
  isRating(scale) ? title : `${title}: how much more`;

export const about = (scale: VoteScale): string => ABOUT[scale];

/** The axis that all of these values are on. */
export function valueScale(scale: VoteScale, values: readonly number[]): Scale {
  if (scale === "preference") return SHARES;
  return isRating(scale) ? OPINIONS : differences([], values);
}
