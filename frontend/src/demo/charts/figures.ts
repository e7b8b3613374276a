// The agent's figures as rows of a table: nothing is computed here, only put into
// words and units.
// SPDX-License-Identifier: Apache-2.0
import type {
  LaneFigures,
  LatencyDistribution,
  PlayoutFacts,
  SocketState,
} from "../../api/generated";
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

const share = (value: number | null): Cell =>
  value === null ? none : { value, text: `${(value * 100).toFixed(2)} %` };

const QUANTILES = [
  ["Median", "p50_us"],
  ["90 %", "p90_us"],
  ["95 %", "p95_us"],
  ["98 %", "p98_us"],
  ["99 %", "p99_us"],
  ["99.9 %", "p999_us"],
  ["Highest", "max_us"],
] as const satisfies readonly (readonly [string, keyof LatencyDistribution])[];

const distribution = (
  name: string,
  of: (figures: LaneFigures) => LatencyDistribution,
): Row<LaneFigures>[] => [
  ...QUANTILES.map(([quantile, field]) => ({
    name: `${name}, ${quantile.toLowerCase()}`,
    of: (figures: LaneFigures) => (of(figures).samples > 0 ? latency(of(figures)[field]) : none),
  })),
  { name: `${name}, samples`, of: (figures) => count(of(figures).samples) },
];

export const latencyRows = (weighted: WeightedBy): Row<LaneFigures>[] => {
  const field = weighted === "byte" ? "per_byte" : "per_message";
  return [
    ...distribution("Application", ({ metrics }) => metrics.application[field]),
    ...distribution("Transport", ({ metrics }) => metrics.transport[field]),
  ];
};

export const FELT_ROWS: readonly Row<LaneFigures>[] = [
  ...LATER_THAN_MS.map((later_ms) => ({
    name: `Later than ${later_ms} ms`,
    of: ({ felt }: LaneFigures) => share(laterShare(felt, later_ms)),
  })),
  { name: "Longest stall", of: ({ felt }) => milliseconds(felt.longest_stall_ms, 0) },
  { name: "Messages", of: ({ felt }) => count(felt.messages) },
  ...distribution("Write to read", ({ felt }) => felt.sojourn),
];

export const PACKET_ROWS: readonly Row<LaneFigures>[] = [
  { name: "Data packets", of: ({ metrics }) => count(metrics.packets) },
  { name: "Lost on the way there", of: ({ metrics }) => count(metrics.lost_packets_forward) },
  { name: "Share lost there", of: ({ metrics }) => share(metrics.loss_share_forward) },
  { name: "Lost on the way back", of: ({ metrics }) => count(metrics.lost_packets_backward) },
  { name: "Share lost back", of: ({ metrics }) => share(metrics.loss_share_backward) },
  { name: "Retransmitted packets", of: ({ metrics }) => count(metrics.retransmitted_packets) },
  { name: "Retransmitted share", of: ({ metrics }) => share(metrics.retransmitted_share) },
  { name: "Bundles", of: ({ copies }) => count(copies.bundle_packets) },
  { name: "Bytes carried again in bundles", of: ({ copies }) => count(copies.bundled_bytes) },
  { name: "Of these, first to arrive", of: ({ copies }) => count(copies.bundle_hit_bytes) },
  { name: "Needless retransmissions", of: ({ copies }) => count(copies.spurious_packets) },
  { name: "Redundancy share", of: ({ metrics }) => share(metrics.redundancy_share) },
];

export const SOUND_ROWS: readonly Row<PlayoutFacts>[] = [
  { name: "Played", of: (facts) => milliseconds(facts.played_ms, 0) },
  { name: "Gaps", of: (facts) => count(facts.gaps) },
  { name: "Concealed or silent", of: (facts) => milliseconds(facts.concealed_ms, 0) },
  { name: "Longest gap", of: (facts) => milliseconds(facts.longest_gap_ms, 0) },
  { name: "Stretched", of: (facts) => milliseconds(facts.stretched_ms, 0) },
  { name: "Compressed", of: (facts) => milliseconds(facts.compressed_ms, 0) },
  { name: "Dropped", of: (facts) => milliseconds(facts.dropped_ms, 0) },
  { name: "Delay, mean", of: (facts) => milliseconds(facts.delay_mean_ms, 0) },
  { name: "Delay, highest", of: (facts) => milliseconds(facts.delay_max_ms, 0) },
];

/** The kernel says "none yet" with its highest number. */
const NO_SSTHRESH = 2 ** 31 - 1;

export const SOCKET_ROWS: readonly Row<SocketState>[] = [
  { name: "Packets in flight", of: (state) => count(state.in_flight) },
  { name: "Congestion window, packets", of: (state) => count(state.snd_cwnd) },
  {
    name: "Slow start threshold, packets",
    of: (state) => (state.snd_ssthresh >= NO_SSTHRESH ? none : count(state.snd_ssthresh)),
  },
  { name: "Retransmission timeout", of: (state) => milliseconds(state.rto_ms, 0) },
  { name: "Times doubled", of: (state) => count(state.backoff) },
  { name: "Smoothed round trip", of: (state) => milliseconds(state.rtt_ms) },
  { name: "Bytes waiting to be sent", of: (state) => count(state.unsent_bytes) },
];
