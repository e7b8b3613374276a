// Condition, measurement and playout of the members, row by row in one table.
// SPDX-License-Identifier: Apache-2.0
import type {
  DirectionOverview,
  GilbertElliott,
  RecordingOverview,
  SessionResult,
} from "../api/generated";
import { duration, percent, words } from "./format";
import { nameOf } from "./TrialCard";

interface Row {
  readonly name: string;
  readonly value: (recording: RecordingOverview) => string;
}

const fromResult =
  (read: (result: SessionResult) => string) =>
  ({ result }: RecordingOverview): string =>
    result ? read(result) : "–";

const CONDITION: readonly Row[] = [
  { name: "Mode", value: ({ condition }) => words(condition.mode) },
  {
    name: "Mechanisms",
    value: ({ condition }) => condition.mechanisms.map(words).join(", ") || "none",
  },
  { name: "Baseline", value: ({ condition }) => condition.baseline },
  { name: "Round-trip time", value: ({ condition }) => `${condition.rtt_ms} ms` },
  { name: "Path, to the receiver", value: ({ condition }) => path(condition.forward) },
  { name: "Path, back", value: ({ condition }) => path(condition.backward) },
];

const TRACE: readonly Row[] = [
  { name: "Data packets sent", value: fromResult((r) => String(r.metrics.packets)) },
  {
    name: "Mean payload",
    value: fromResult((r) => `${r.metrics.packet_payload_mean_bytes.toFixed(0)} bytes`),
  },
  {
    name: "Lost, to the receiver",
    value: fromResult(({ metrics }) =>
      withShare(metrics.lost_packets_forward, metrics.loss_share_forward),
    ),
  },
  {
    name: "Retransmitted payload",
    value: fromResult((r) => percent(r.metrics.retransmitted_share)),
  },
  { name: "Redundant payload", value: fromResult((r) => percent(r.metrics.redundancy_share)) },
];

const FELT: readonly Row[] = [
  {
    name: "Messages over 150 ms late",
    value: fromResult((r) => percent(r.felt.share_later_than_150_ms)),
  },
  { name: "Longest stall", value: fromResult((r) => duration(r.felt.longest_stall_ms)) },
  {
    name: "Gaps in playout",
    value: fromResult(
      ({ playout }) => `${playout.gaps}, longest ${duration(playout.longest_gap_ms)}`,
    ),
  },
  { name: "Concealed", value: fromResult((r) => duration(r.playout.concealed_ms)) },
  { name: "Played slower, added", value: fromResult((r) => duration(r.playout.stretched_ms)) },
  { name: "Played faster, removed", value: fromResult((r) => duration(r.playout.compressed_ms)) },
  { name: "Dropped", value: fromResult((r) => duration(r.playout.dropped_ms)) },
  {
    name: "Delay beyond the path’s",
    value: fromResult(
      ({ playout }) =>
        `mean ${duration(playout.delay_mean_ms)}, at most ${duration(playout.delay_max_ms)}`,
    ),
  },
];

const withShare = (count: number, share: number): string => `${count} (${percent(share)})`;

/** The long-run loss of a two-state channel: each state's loss by its share of time. */
function stationaryLoss(bursts: GilbertElliott): number {
  const { good_to_bad_share: into, bad_to_good_share: out } = bursts;
  const bad = into + out > 0 ? into / (into + out) : 0;
  return bad * (bursts.loss_share_bad ?? 1) + (1 - bad) * (bursts.loss_share_good ?? 0);
}

function path(direction: DirectionOverview): string {
  const bursts = direction.gilbert_elliott;
  const parts = bursts
    ? [`loss in bursts, ${percent(stationaryLoss(bursts))} on average`]
    : [`${percent(direction.loss_share)} loss`];
  if (direction.jitter_ms > 0) parts.push(`jitter ${direction.jitter_ms} ms`);
  if (direction.rate_kbit_per_s > 0) parts.push(`${direction.rate_kbit_per_s} kbit/s`);
  if (direction.corrupt_share > 0) parts.push(`${percent(direction.corrupt_share)} damaged`);
  return parts.join(", ");
}

interface ComparisonProps {
  readonly trial: string;
  readonly recordings: readonly RecordingOverview[];
}

export function Comparison({ trial, recordings }: ComparisonProps) {
  const measured = recordings.some((recording) => recording.result !== null);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
    <section className="table" aria-label={`The members of ${trial} compared`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <td />
            {recordings.map((recording) => (
              <th key={recording.condition.name} scope="col">
                {nameOf(recording)}
              </th>
            ))}
          </tr>
        </thead>
        <Group name="Condition" rows={CONDITION} recordings={recordings} />
        {measured && <Group name="Trace" rows={TRACE} recordings={recordings} />}
        {measured && <Group name="What a listener gets" rows={FELT} recordings={recordings} />}
      </table>
    </section>
  );
}

interface GroupProps {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly recordings: readonly RecordingOverview[];
}

function Group({ name, rows, recordings }: GroupProps) {
  return (
    <tbody>
      <tr className="group">
        <th colSpan={recordings.length + 1} scope="rowgroup">
          {name}
        </th>
      </tr>
      {rows.map((row) => {
        const values = recordings.map(row.value);
        return (
          <tr key={row.name} className={new Set(values).size > 1 ? "differs" : ""}>
            <th scope="row">{row.name}</th>
            {recordings.map((recording, index) => (
              <td key={recording.condition.name}>{values[index]}</td>
            ))}
          </tr>
        );
      })}
    </tbody>
  );
}
