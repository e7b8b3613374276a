// What the saved feed tells of whole takes: how late messages were all along, and the
// agent's last figures. Pure, but that reading an hour of moments lets the page breathe.
// SPDX-License-Identifier: Apache-2.0
import type { DemoLaneResult, DemoTakeRecord, LaneMoment, Moment } from "../../../api/generated";
import type { ReplayFeed } from "../../feed/replay";

/** As fine as it is kept; a chart shows as much as it has room for. */
export const BIN_MS = 500;
const MOMENTS_AT_ONCE = 500;

export interface LaneTrace {
  /** The longest latency of what was sent in each bin since the take began; undefined: nothing was. */
  readonly longest_ms: readonly (number | undefined)[];
  /** The newest figures, where the take has no result of its own. */
  readonly last: Pick<DemoLaneResult, "figures" | "playout">;
}

/** By a lane's number, by a take's. */
export type Traces = ReadonlyMap<number, readonly LaneTrace[]>;

interface Growing {
  readonly longest_ms: (number | undefined)[];
  last: LaneTrace["last"];
}

/** Of all that the feed holds by now; null: nobody waits for it any more. */
export async function tracesOf(
  feed: ReplayFeed,
  takes: readonly DemoTakeRecord[],
  signal: AbortSignal,
): Promise<Traces | null> {
  const began_ms = new Map(
    takes.map((take) => [take.number, take.ready_at_ms ?? take.began_at_ms]),
  );
  const found = new Map<number, Growing[]>();
  for (let from = 0; ; ) {
    const { moments, next } = feed.moments(from, MOMENTS_AT_ONCE);
    for (const moment of moments) note(moment, began_ms.get(moment.take) ?? 0, found);
    if (next === from) return found;
    from = next;
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) return null;
  }
}

function note({ take, lanes }: Moment, began_ms: number, found: Map<number, Growing[]>): void {
  const known: Growing[] = found.get(take) ?? lanes.map(() => ({ longest_ms: [], last: {} }));
  found.set(take, known);
  for (const [index, moment] of lanes.entries()) {
    const lane = known[index];
    if (!lane) continue;
    for (const { sent_ms, latency_ms } of latenciesOf(moment)) {
      const bin = Math.max(0, Math.floor((sent_ms - began_ms) / BIN_MS));
      lane.longest_ms[bin] = Math.max(lane.longest_ms[bin] ?? 0, latency_ms);
    }
    lane.last = {
      figures: moment.whole ?? lane.last.figures ?? null,
      playout: moment.playout?.facts ?? lane.last.playout ?? null,
    };
  }
}

/** As the chart of one take has them: messages, or a terminal's echoes. */
function* latenciesOf({ echoes = [], messages = [] }: LaneMoment) {
  for (const { written_ms, shown_ms } of echoes) {
    yield { sent_ms: written_ms, latency_ms: shown_ms - written_ms };
  }
  if (echoes.length > 0) return;
  for (const { sent_ms, available_ms } of messages) {
    yield { sent_ms, latency_ms: available_ms - sent_ms };
  }
}

/** Steps at which a chart shows the longest of each, in ms. */
const STEPS_MS = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

/** So that a chart has at most so many points. */
export const stepFor = (length_ms: number, most = 240): number =>
  STEPS_MS.find((step_ms) => length_ms / step_ms <= most) ?? 60_000;

/** The longest of each step, at its middle. */
export function stepped(
  { longest_ms }: LaneTrace,
  step_ms: number,
): { readonly at_ms: number; readonly longest_ms: number }[] {
  const width = step_ms / BIN_MS;
  return Array.from({ length: Math.ceil(longest_ms.length / width) }, (_, step) => {
    const bins = longest_ms.slice(step * width, (step + 1) * width);
    const longest = Math.max(...bins.map((bin) => bin ?? Number.NEGATIVE_INFINITY));
    return { at_ms: (step + 0.5) * step_ms, longest_ms: longest };
  }).filter(({ longest_ms }) => longest_ms > Number.NEGATIVE_INFINITY);
}
