// The lanes of several takes as lines of one picture: a colour a letter, dashes a take. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { DemoResult, DemoTakeRecord } from "../../../api/generated";
import { type Curve, distributionOf, type LatencyOf, type WeightedBy } from "../../charts/drawCdf";
import { DASHES } from "../../charts/lanes";
import { type LegendEntry, lineEntry } from "../../charts/legendEntries";
import { placeOf } from "../../letters";
import { lanesOf } from "../../takes";
import type { LaneTrace, Traces } from "./traces";

/** As many as there are dashes to tell them apart. */
export const MOST_TAKES = DASHES.length;

export interface Line {
  readonly take: number;
  readonly lane: number;
  /** Such as "2B", beside the line. */
  readonly label: string;
  readonly title: string;
  /** What the sender did when the take began. */
  readonly words: string;
  readonly look: number;
  readonly dash: readonly number[];
  readonly trace: LaneTrace | null;
  readonly measured: LaneTrace["last"] | null;
}

export type Results = ReadonlyMap<number, DemoResult | null>;

export const linesOf = (
  takes: readonly DemoTakeRecord[],
  traces: Traces,
  results: Results,
): Line[] =>
  takes.flatMap((take, place) =>
    lanesOf(take).map(({ lane, letter }) => {
      const trace = traces.get(take.number)?.[lane] ?? null;
      return {
        take: take.number,
        lane,
        label: `${take.number}${letter}`,
        title: `Take ${take.number}, lane ${letter}`,
        words: take.words.senders[lane] ?? "",
        look: placeOf(letter),
        dash: DASHES[place] ?? [],
        trace,
        // A take that broke off has no result; what its page was told last is nearly as much.
        measured: results.get(take.number)?.lanes?.[lane] ?? trace?.last ?? null,
      };
    }),
  );

export const curvesOf = (lines: readonly Line[], of: LatencyOf, weighted: WeightedBy): Curve[] =>
  lines.flatMap(({ label, look, dash, measured }, place) => {
    const { metrics, copies, felt } = measured?.figures ?? {};
    if (!metrics || !copies || !felt) return [];
    const distribution = distributionOf({ metrics, copies, felt }, of, weighted);
    const points = distribution.cdf ?? [];
    // Labels at heights of their own, where the curves part.
    const label_share = 0.97 - (0.37 * place) / Math.max(lines.length - 1, 1);
    return points.length > 0 ? [{ label, look, dash, distribution, points, label_share }] : [];
  });

export const entriesOf = (lines: readonly Line[]): LegendEntry[] =>
  lines.map(({ title, words, look, dash }) => lineEntry(`${title}: ${words}`, look, dash));
