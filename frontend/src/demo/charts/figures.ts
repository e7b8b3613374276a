// The agent's figures as rows of a table: nothing is computed here, only put into
// words and units.
// SPDX-License-Identifier: Apache-2.0
import type {
  LaneFigures,
  LatencyDistribution,
  PlayoutFacts,
  SocketState,
} from "../../api/generated";
import {
  copiesTerms,
  feltMetricsTerms,
  latencyDistributionTerms,
  playoutFactsTerms,
  socketStateTerms,
  type Term,
  traceMetricsTerms,
} from "../../api/generatedTerms";
import { UPPER_PERCENTILES } from "../../staff/percentiles";
import type { WeightedBy } from "./drawCdf";
import { LATER_THAN_MS, laterShare } from "./drawFelt";

export interface Cell {
  /** The figure as the agent gave it; null: there is none. */
  readonly value: number | null;
  readonly text: string;
}

export interface Row<Source> {
  readonly name: string;
  readonly of: (source: Source) => Cell;
}

const none: Cell = { value: null, text: "–" };

const count = (value: number): Cell => ({ value, text: String(value) });

const milliseconds = (value: number, decimals = 1): Cell => ({
  value,
  text: `${value.toFixed(decimals)} ms`,
});

/** Of µs; the cell keeps them. */
const latency = (value: number): Cell => ({ value, text: `${(value / 1000).toFixed(1)} ms` });

const share = (value: number): Cell => ({ value, text: `${(value * 100).toFixed(2)} %` });

/** A figure by the unit that the contract gives it. */
function figure(value: number | null | undefined, unit: string): Cell {
  if (value === null || value === undefined) return none;
  if (unit === "share") return share(value);
  if (unit === "µs") return latency(value);
  if (unit === "ms") return milliseconds(value, 0);
  return count(value);
}

/** Rows of those fields of a message, called as the contract calls them. */
function rowsOf<Source, Name extends string>(
  terms: Readonly<Record<Name, Term>>,
  names: readonly Name[],
  message: (source: Source) => Readonly<Partial<Record<Name, number | null>>>,
): Row<Source>[] {
  return names.map((name) => ({
    name: terms[name].title,
    of: (source) => figure(message(source)[name], terms[name].unit),
  }));
}

const distribution = (
  { title }: Term,
  of: (figures: LaneFigures) => LatencyDistribution,
): Row<LaneFigures>[] => [
  ...UPPER_PERCENTILES.map((field) => ({
    name: `${title}, ${latencyDistributionTerms[field].title.toLowerCase()}`,
    of: (figures: LaneFigures) => (of(figures).samples > 0 ? latency(of(figures)[field]) : none),
  })),
  {
    name: `${title}, ${latencyDistributionTerms.samples.title.toLowerCase()}`,
    of: (figures) => count(of(figures).samples),
  },
];

export const latencyRows = (weighted: WeightedBy): Row<LaneFigures>[] => {
  const field = weighted === "byte" ? "per_byte" : "per_message";
  const { application, transport } = traceMetricsTerms;
  return [
    ...distribution(application, ({ metrics }) => metrics.application[field]),
    ...distribution(transport, ({ metrics }) => metrics.transport[field]),
  ];
};

const trace = ({ metrics }: LaneFigures) => metrics;
const copies = ({ copies }: LaneFigures) => copies;
const felt = ({ felt }: LaneFigures) => felt;

export const FELT_ROWS: readonly Row<LaneFigures>[] = [
  ...LATER_THAN_MS.map((later_ms) => ({
    name: feltMetricsTerms[`share_later_than_${later_ms}_ms`].title,
    of: ({ felt }: LaneFigures) => figure(laterShare(felt, later_ms), "share"),
  })),
  ...rowsOf(feltMetricsTerms, ["longest_stall_ms", "messages"], felt),
  ...distribution(feltMetricsTerms.sojourn, ({ felt }) => felt.sojourn),
];

export const PACKET_ROWS: readonly Row<LaneFigures>[] = [
  ...rowsOf(
    traceMetricsTerms,
    [
      "packets",
      "lost_packets_forward",
      "loss_share_forward",
      "lost_packets_backward",
      "loss_share_backward",
      "retransmitted_packets",
      "retransmitted_share",
    ],
    trace,
  ),
  ...rowsOf(
    copiesTerms,
    ["bundle_packets", "bundled_bytes", "bundle_hit_bytes", "spurious_packets"],
    copies,
  ),
  ...rowsOf(traceMetricsTerms, ["redundancy_share"], trace),
];

export const SOUND_ROWS: readonly Row<PlayoutFacts>[] = rowsOf(
  playoutFactsTerms,
  [
    "played_ms",
    "gaps",
    "concealed_ms",
    "longest_gap_ms",
    "stretched_ms",
    "compressed_ms",
    "dropped_ms",
    "lost_ms",
    "damaged_ms",
    "delay_mean_ms",
    "delay_max_ms",
  ],
  (facts) => facts,
);

/** The kernel says "none yet" with its highest number. */
const NO_SSTHRESH = 2 ** 31 - 1;

export const SOCKET_ROWS: readonly Row<SocketState>[] = [
  ...rowsOf(socketStateTerms, ["in_flight", "snd_cwnd"], (state: SocketState) => state),
  {
    name: socketStateTerms.snd_ssthresh.title,
    of: (state) => (state.snd_ssthresh >= NO_SSTHRESH ? none : count(state.snd_ssthresh)),
  },
  { name: socketStateTerms.rto_us.title, of: (state) => milliseconds(state.rto_ms, 0) },
  ...rowsOf(socketStateTerms, ["backoff"], (state: SocketState) => state),
  { name: socketStateTerms.rtt_us.title, of: (state) => milliseconds(state.rtt_ms) },
  ...rowsOf(socketStateTerms, ["unsent_bytes"], (state: SocketState) => state),
];
