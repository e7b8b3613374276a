// From a number to a place on the plot, and to its words.
// SPDX-License-Identifier: Apache-2.0
import type { Estimate } from "../../api/generated";
import { roundTicks } from "../../charts/ticks";
import { quantity } from "../../staff/format";

export interface Scale {
  readonly ticks: readonly number[];
  /** Per cent of the plot's width, 0…100; what lies outside is put at the edge. */
  readonly at: (value: number) => number;
  readonly say: (value: number) => string;
}

function scaleOf(
  low: number,
  high: number,
  ticks: readonly number[],
  say: (value: number) => string,
): Scale {
  const at = (value: number) => Math.min(100, Math.max(0, (100 * (value - low)) / (high - low)));
  return { ticks, at, say };
}

/** Shares, 0…1. */
export const SHARES = scaleOf(
  0,
  1,
  [0, 0.25, 0.5, 0.75, 1],
  (value) => `${Math.round(100 * value)} %`,
);

/** Shares as papers print them: ends to a tenth of a per cent, ticks whole. */
export const EXACT_SHARES: Scale = {
  ...SHARES,
  say: (value) => `${(100 * value).toFixed(Number.isInteger(100 * value) ? 0 : 1)} %`,
};

/** Mean opinion scores, 1…5. */
export const OPINIONS = scaleOf(1, 5, [1, 2, 3, 4, 5], (value) =>
  Number.isInteger(value) ? String(value) : value.toFixed(2),
);

/** Scores beside a reference, 0…100. */
export const BESIDE = scaleOf(0, 100, [0, 20, 40, 60, 80, 100], (value) =>
  Number.isInteger(value) ? String(value) : value.toFixed(1),
);

/** What is given for one condition, of mean opinion scores, and what its ends and its mean are. */
export const RATINGS = {
  acr: { title: "Mean opinion scores", ends: ["bad", "excellent"] },
  dcr: { title: "Degradation mean opinion scores", ends: ["very annoying", "inaudible"] },
} as const;

export const isRating = (scale: string): scale is keyof typeof RATINGS => scale in RATINGS;

/** How noticeable, 1…4. */
export const STEPS = scaleOf(1, 4, [1, 2, 3, 4], (value) =>
  Number.isInteger(value) ? String(value) : value.toFixed(2),
);

const signed = (value: number): string => {
  const text = Math.abs(value).toFixed(Number.isInteger(value * 2) ? 1 : 2);
  return value === 0 ? "0" : `${value < 0 ? "−" : "+"}${text}`;
};

/** Differences, around 0 and as wide as the widest interval needs, in steps of a half. Other
 * values that have to be on it can be given. */
export function differences(estimates: readonly Estimate[], others: readonly number[] = []): Scale {
  const ends = [
    ...estimates.flatMap(({ low, value, high }) => [low ?? value, value, high ?? value]),
    ...others,
  ];
  const widest = Math.max(0.5, Math.ceil(2 * Math.max(0, ...ends.map(Math.abs))) / 2);
  const ticks = [-widest, -widest / 2, 0, widest / 2, widest];
  return scaleOf(-widest, widest, ticks, signed);
}

/** A metric of what was heard or felt, in its unit. */
export const delays = (least: number, most: number, unit: string): Scale =>
  scaleOf(least, most, roundTicks(least, most, 4), (value) => quantity(value, unit));

interface Ends {
  readonly low: number | null;
  readonly high: number | null;
}

/** The interval's ends; one that the votes do not bound is an ellipsis. */
export function saidInterval(scale: Scale, { low, high }: Ends): string {
  if (low === null && high === null) return "no interval";
  const end = (value: number | null) => (value === null ? "…" : scale.say(value));
  return `${end(low)} to ${end(high)}`;
}

/** The p-value with what it deserves of digits; nothing where nothing is tested. */
export const saidP = (value: number | null): string =>
  value === null ? "" : `p ${value < 0.001 ? "< 0.001" : `= ${value.toFixed(3)}`}`;

/** The same where it decides nothing. */
export const saidExploratoryP = (value: number | null): string =>
  value === null ? "" : `exploratory ${saidP(value)}`;

/** The test that counts, after correction if there was any, to stand behind other details. */
export function saidTest({ too_few, p_adjusted, p_value, exploratory = true }: Estimate): string {
  const said = (exploratory ? saidExploratoryP : saidP)(p_adjusted ?? p_value);
  return too_few || said === "" ? "" : ` · ${said}`;
}

/** Where an interval is drawn; one without an end goes to the edge. */
export function spanOf(scale: Scale, { low, high }: Estimate): { from: number; to: number } {
  return { from: low === null ? 0 : scale.at(low), to: high === null ? 100 : scale.at(high) };
}
