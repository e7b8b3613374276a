// Two metrics weighed against each other: their axes, the line of equal preference, and whom each
// pair of recordings speaks for, or how well each recording is rated. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { RatedPoint, WeighedFindings, WeighedPoint } from "../../../api/generated";
import { roundTicks } from "../../../charts/ticks";

/** Of a metric: of pairs the difference, b − a. */
export interface WeighedAxis {
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
/** By its mean, from 1 to 5. */
export type Rating = "high" | "middle" | "low";
export type Sign = Side | Rating;

/** What a mark stands for: a pair of recordings, or one that is rated. */
export interface WeighedPlace {
  readonly key: string;
  readonly right: number;
  readonly up: number;
  readonly votes: number;
  readonly sign: Sign;
}

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

/** The words of the scales' middle, and of what is next to it, meet here: fair is 3. */
const LEAST_HIGH = 3.5;
const LEAST_MIDDLE = 2.5;

/** Nobody rates pairs, and nobody prefers where they rate. */
export const isRated = ({ rated }: WeighedFindings): boolean => rated.length > 0;

const unitOf = (contract: string): Unit => READ[contract] ?? { name: contract, size: 1 };

function differenceAxis(title: string, unit: Unit, differences: readonly number[]): WeighedAxis {
  const reach = Math.max(...differences.map(Math.abs), 0) || unit.size;
  return axisOf(`Difference in “${title}”, b − a${inUnit(unit)}`, unit, "exceptZero", {
    least: Math.min(...differences, -LEAST_SIDE * reach) - ROOM * reach,
    most: Math.max(...differences, LEAST_SIDE * reach) + ROOM * reach,
  });
}

function metricAxis(title: string, unit: Unit, values: readonly number[]): WeighedAxis {
  const reach = Math.max(...values, 0) - Math.min(...values, 0) || unit.size;
  return axisOf(`“${title}”${inUnit(unit)}`, unit, "auto", {
    least: Math.min(...values, 0) - ROOM * reach,
    most: Math.max(...values, 0) + ROOM * reach,
  });
}

const inUnit = ({ name }: Unit): string => name && `, in ${name}`;

function axisOf(
  title: string,
  unit: Unit,
  signs: "exceptZero" | "auto",
  { least, most }: { readonly least: number; readonly most: number },
): WeighedAxis {
  const say = (value: number) => written(value / unit.size, signs);
  const ticks = (count: number) =>
    roundTicks(least / unit.size, most / unit.size, count).map((tick) => tick * unit.size);
  const long = ticks(TICKS).some((tick) => say(tick).length > LONG_CHARACTERS);
  return {
    title,
    least,
    most,
    ticks: ticks(long ? FEWER_TICKS : TICKS),
    at: (value) => (100 * (value - least)) / (most - least),
    say,
  };
}

function written(value: number, signs: "exceptZero" | "auto"): string {
  const said = new Intl.NumberFormat("en-US", {
    maximumSignificantDigits: 4,
    notation: Math.abs(value) < LONG ? "standard" : "compact",
    signDisplay: signs,
    useGrouping: false,
  }).format(value);
  return said.replace("-", "−");
}

/** To the right the other metric, upwards the one that is weighed against it. */
export function axesOf(found: WeighedFindings): { right: WeighedAxis; up: WeighedAxis } {
  const places = placesOf(found);
  const axis = isRated(found) ? metricAxis : differenceAxis;
  return {
    right: axis(
      found.other_title,
      unitOf(found.other_unit),
      places.map(({ right }) => right),
    ),
    up: axis(
      found.title,
      unitOf(found.unit),
      places.map(({ up }) => up),
    ),
  };
}

/** Those with many votes first, so that their marks hide no others. */
export function placesOf(found: WeighedFindings): readonly WeighedPlace[] {
  const places = isRated(found) ? found.rated.map(ratedPlace) : found.points.map(pairPlace);
  return places.toSorted((one, other) => other.votes - one.votes);
}

const pairPlace = (pair: WeighedPoint): WeighedPlace => ({
  key: `${pair.trial_id} ${pair.run}`,
  right: pair.other_apart,
  up: pair.apart,
  votes: pair.votes_a + pair.votes_b + pair.votes_none,
  sign: sideOf(pair),
});

const ratedPlace = (one: RatedPoint): WeighedPlace => ({
  key: `${one.trial_id} ${one.run}`,
  right: one.other_value,
  up: one.value,
  votes: one.votes,
  sign: ratingOf(one),
});

/** Of pairs where they do not differ; of ratings in the middle of all. */
function middleOf(found: WeighedFindings): { right: number; up: number } {
  const votes = found.rated.reduce((sum, one) => sum + one.votes, 0);
  if (votes === 0) return { right: 0, up: 0 };
  const mean = (of: (one: RatedPoint) => number) =>
    found.rated.reduce((sum, one) => sum + one.votes * of(one), 0) / votes;
  return { right: mean(({ other_value }) => other_value), up: mean(({ value }) => value) };
}

/** Through the middle, from one side of the plot to the other; nowhere where votes set none. */
export function lineOf(found: WeighedFindings, right: WeighedAxis): readonly LinePlace[] {
  if (found.worth === null) return [];
  const { value, low, high } = found.worth;
  const ends = low === null || high === null ? [value] : [low, high];
  const middle = middleOf(found);
  return [right.least, middle.right, right.most].map((other_apart) => {
    const from = other_apart - middle.right;
    const band = ends.map((end) => middle.up - end * from);
    return {
      other_apart,
      apart: middle.up - value * from,
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

export function ratingOf({ score }: RatedPoint): Rating {
  if (score >= LEAST_HIGH) return "high";
  return score >= LEAST_MIDDLE ? "middle" : "low";
}

/** What the line means; null where there is none. People avoid more of some metrics and want more
 * of others, so the votes say who is preferred above it. */
export function saidLine(found: WeighedFindings): string | null {
  const { worth, points } = found;
  if (worth === null) return null;
  if (isRated(found)) return saidRatedLine(found, worth.value);
  const forB = points.reduce(
    (sum, { apart, other_apart, votes_a, votes_b }) =>
      sum + (apart + worth.value * other_apart) * (votes_b - votes_a),
    0,
  );
  const sides = forB < 0 ? "; above it a, below it b" : forB > 0 ? "; above it b, below it a" : "";
  return `On the line both are preferred alike${sides}.`;
}

function saidRatedLine(found: WeighedFindings, worth: number): string {
  const { right, up } = middleOf(found);
  const mean =
    found.rated.reduce((sum, { score, votes }) => sum + score * votes, 0) /
    found.rated.reduce((sum, { votes }) => sum + votes, 0);
  const forMore = found.rated.reduce(
    (sum, { value, other_value, score, votes }) =>
      sum + (value - up + worth * (other_value - right)) * (score - mean) * votes,
    0,
  );
  const where = forMore < 0 ? "below" : "above";
  const sides = forMore === 0 ? "" : `; what lies ${where} it is rated better`;
  return `Along the line, and along any other as steep, ratings are alike${sides}.`;
}
