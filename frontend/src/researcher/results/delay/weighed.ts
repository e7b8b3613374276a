// Two metrics weighed against each other: their axes, the line of equal preference, and whom each
// pair of recordings speaks for. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { WeighedFindings, WeighedPoint } from "../../../api/generated";
import { roundTicks } from "../../../charts/ticks";

/** A difference, b − a. */
export interface DifferenceAxis {
  readonly title: string;
  readonly least: number;
  readonly most: number;
  readonly ticks: readonly number[];
  /** Per cent of the plot; what lies outside of it is below 0 or above 100. */
  readonly at: (value: number) => number;
  /** In the unit of the title. */
  readonly say: (value: number) => string;
}

interface LinePlace {
  readonly other_apart: number;
  readonly apart: number;
  /** Of the interval; where it has no ends, as the line itself. */
  readonly low: number;
  readonly high: number;
}

export type Side = "a" | "b" | "both";

interface Unit {
  readonly name: string;
  /** Of the contract's in one of these. */
  readonly size: number;
}

/** Units that people read rather than the contract's, as `quantity` has them. */
const READ: Readonly<Record<string, Unit>> = {
  share: { name: "%", size: 0.01 },
  µs: { name: "ms", size: 1000 },
};

/** Either side of nought there is room for so much of the farthest point's distance. */
const LEAST_SIDE = 0.3;
/** What lies at an end keeps its mark inside. */
const ROOM = 0.08;
/** From here on, thousands and millions are written by letter. */
const LONG = 10_000;
/** About so many ticks, which a narrow page has room for; of long numbers there are fewer. */
const TICKS = 7;
const FEWER_TICKS = 4;
const LONG_CHARACTERS = 4;

const differenceTitle = (title: string, { name }: Unit): string =>
  `Difference in “${title}”, b − a${name && `, in ${name}`}`;

function axisOf(title: string, contract: string, differences: readonly number[]): DifferenceAxis {
  const unit = READ[contract] ?? { name: contract, size: 1 };
  const reach = Math.max(...differences.map(Math.abs), 0) || unit.size;
  const least = Math.min(...differences, -LEAST_SIDE * reach) - ROOM * reach;
  const most = Math.max(...differences, LEAST_SIDE * reach) + ROOM * reach;
  const say = (value: number) => signed(value / unit.size);
  const ticks = (count: number) =>
    roundTicks(least / unit.size, most / unit.size, count).map((tick) => tick * unit.size);
  const long = ticks(TICKS).some((tick) => say(tick).length > LONG_CHARACTERS);
  return {
    title: differenceTitle(title, unit),
    least,
    most,
    ticks: ticks(long ? FEWER_TICKS : TICKS),
    at: (value) => (100 * (value - least)) / (most - least),
    say,
  };
}

function signed(value: number): string {
  const written = new Intl.NumberFormat("en-US", {
    maximumSignificantDigits: 4,
    notation: Math.abs(value) < LONG ? "standard" : "compact",
    signDisplay: "exceptZero",
    useGrouping: false,
  }).format(value);
  return written.replace("-", "−");
}

/** To the right the other metric, upwards the one that is weighed against it. */
export function axesOf(found: WeighedFindings): { right: DifferenceAxis; up: DifferenceAxis } {
  const { points, title, unit, other_title, other_unit } = found;
  return {
    right: axisOf(
      other_title,
      other_unit,
      points.map(({ other_apart }) => other_apart),
    ),
    up: axisOf(
      title,
      unit,
      points.map(({ apart }) => apart),
    ),
  };
}

/** Through the origin, from one side of the plot to the other; nowhere where the votes set none. */
export function lineOf({ worth }: WeighedFindings, right: DifferenceAxis): readonly LinePlace[] {
  if (worth === null) return [];
  const { value, low, high } = worth;
  const ends = low === null || high === null ? [value] : [low, high];
  return [right.least, 0, right.most].map((other_apart) => {
    const band = ends.map((end) => -end * other_apart);
    return {
      other_apart,
      apart: -value * other_apart,
      low: Math.min(...band),
      high: Math.max(...band),
    };
  });
}

/** For whom more of its votes are. */
export function sideOf({ votes_a, votes_b }: WeighedPoint): Side {
  if (votes_a === votes_b) return "both";
  return votes_a > votes_b ? "a" : "b";
}

export const votesOf = ({ votes_a, votes_b, votes_none }: WeighedPoint): number =>
  votes_a + votes_b + votes_none;

/** Those with many votes first, so that their marks hide no others. */
export const largestFirst = (points: readonly WeighedPoint[]): readonly WeighedPoint[] =>
  points.toSorted((one, other) => votesOf(other) - votesOf(one));

/** What the line means; null where there is none. People avoid more of some metrics and want more
 * of others, so the votes say who is preferred above it. */
export function saidLine({ worth, points }: WeighedFindings): string | null {
  if (worth === null) return null;
  const forB = points.reduce(
    (sum, { apart, other_apart, votes_a, votes_b }) =>
      sum + (apart + worth.value * other_apart) * (votes_b - votes_a),
    0,
  );
  const sides = forB < 0 ? "; above it a, below it b" : forB > 0 ? "; above it b, below it a" : "";
  return `On the line both are preferred alike${sides}.`;
}
