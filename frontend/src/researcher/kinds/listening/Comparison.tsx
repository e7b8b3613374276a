// Condition, measurement and playout of the members, row by row in one table.
// SPDX-License-Identifier: Apache-2.0
import type { Damage, MemberRecording, PlayoutFacts, SessionResult } from "../../../api/generated";
import {
  damageTerms,
  feltMetricsTerms,
  playoutFactsTerms,
  type Term,
  traceMetricsTerms,
} from "../../../api/generatedTerms";
import { Table } from "../../../design/Table";
import { duration, percent, words } from "../../../staff/format";
import styles from "./Comparison.module.css";
import { nameOf } from "./naming";

/** A member with what was measured, once that is there. */
export interface Compared {
  readonly member: MemberRecording;
  readonly result: SessionResult | null;
}

interface Row {
  readonly name: string;
  readonly value: (compared: Compared) => string;
}

const fromResult =
  (read: (result: SessionResult) => string) =>
  ({ result }: Compared): string =>
    result ? read(result) : "–";

const fromMember =
  (read: (member: MemberRecording) => string) =>
  ({ member }: Compared): string =>
    read(member);

const CONDITION: readonly Row[] = [
  { name: "Mode", value: fromMember(({ condition }) => condition.words.mode) },
  { name: "Sender", value: fromMember(({ condition }) => condition.words.sender) },
  { name: "Path, to the receiver", value: fromMember(({ condition }) => condition.words.there) },
  { name: "Path, back", value: fromMember(({ condition }) => condition.words.back) },
  { name: "Seed", value: fromMember(({ seed }) => String(seed)) },
];

/** A row of what was measured, called as the contract calls it; `–` where there is none. */
const measured = (
  { title }: Term,
  read: (result: SessionResult) => string | null | undefined,
): Row => ({ name: title, value: fromResult((result) => read(result) ?? "–") });

const playout = (name: keyof PlayoutFacts, text: (value: number) => string): Row =>
  measured(playoutFactsTerms[name], ({ playout }) => {
    const value = playout?.[name] ?? null;
    return value === null ? null : text(value);
  });

/** What was read changed; nothing of it where nothing was. */
const damage = (name: keyof Damage, text: (value: number) => string): Row =>
  measured(damageTerms[name], (result) => (result.damage ? text(result.damage[name]) : null));

const TRACE: readonly Row[] = [
  measured(traceMetricsTerms.packets, (r) => String(r.metrics.packets)),
  measured(
    traceMetricsTerms.packet_payload_mean_bytes,
    (r) => `${r.metrics.packet_payload_mean_bytes.toFixed(0)} bytes`,
  ),
  measured(traceMetricsTerms.lost_packets_forward, ({ metrics }) =>
    withShare(metrics.lost_packets_forward, metrics.loss_share_forward),
  ),
  measured(traceMetricsTerms.retransmitted_share, (r) => percent(r.metrics.retransmitted_share)),
  measured(traceMetricsTerms.redundancy_share, (r) => percent(r.metrics.redundancy_share)),
];

const FELT: readonly Row[] = [
  measured(feltMetricsTerms.share_later_than_150_ms, (r) =>
    percent(r.felt.share_later_than_150_ms),
  ),
  measured(feltMetricsTerms.longest_stall_ms, (r) => duration(r.felt.longest_stall_ms)),
  playout("gaps", String),
  playout("longest_gap_ms", duration),
  playout("concealed_ms", duration),
  playout("stretched_ms", duration),
  playout("compressed_ms", duration),
  playout("dropped_ms", duration),
  playout("lost_ms", duration),
  playout("damaged_ms", duration),
  damage("changed_share", percent),
  damage("changed_messages", String),
  damage("longest_run_bytes", (bytes) => `${bytes} bytes`),
  playout("delay_mean_ms", duration),
  playout("delay_max_ms", duration),
];

const PREDICTION: readonly Row[] = [
  {
    name: "Predicted quality",
    value: fromMember(({ predicted }) =>
      predicted.map(({ score, reason }) => score?.toFixed(2) ?? reason ?? "–").join(", "),
    ),
  },
  {
    name: "Measure and version",
    value: fromMember(({ predicted }) =>
      predicted.map(({ measure, version }) => `${words(measure)}, ${version}`).join("; "),
    ),
  },
];

const HOST: readonly Row[] = [
  {
    name: "Recorded",
    value: fromMember(({ made_at }) =>
      made_at ? `${made_at.slice(0, 16).replace("T", " ")} UTC` : "–",
    ),
  },
  { name: "Host build", value: fromMember(({ host_build }) => host_build ?? "–") },
  { name: "Kernel", value: fromMember(({ kernel_release }) => kernel_release ?? "–") },
];

const withShare = (count: number, share: number): string => `${count} (${percent(share)})`;

interface ComparisonProps {
  readonly name: string;
  readonly compared: readonly Compared[];
}

export function Comparison({ name, compared }: ComparisonProps) {
  const known = compared.some(({ result }) => result !== null);
  const predicted = compared.some(({ member }) => member.predicted.length > 0);
  return (
    <Table label={`The members of ${name} compared`}>
      <thead>
        <tr>
          <td />
          {compared.map(({ member }) => (
            <th key={member.member} scope="col">
              {nameOf(member)}
            </th>
          ))}
        </tr>
      </thead>
      <Group name="Condition" rows={CONDITION} compared={compared} />
      {known && <Group name="Trace" rows={TRACE} compared={compared} />}
      {known && <Group name="What a listener gets" rows={FELT} compared={compared} />}
      {predicted && (
        <Group name="Predicted: nobody heard it" rows={PREDICTION} compared={compared} />
      )}
      {known && <Group name="Made" rows={HOST} compared={compared} />}
    </Table>
  );
}

interface GroupProps {
  readonly name: string;
  readonly rows: readonly Row[];
  readonly compared: readonly Compared[];
}

function Group({ name, rows, compared }: GroupProps) {
  return (
    <tbody>
      <tr className={styles.group}>
        <th colSpan={compared.length + 1} scope="rowgroup">
          {name}
        </th>
      </tr>
      {rows.map((row) => {
        const values = compared.map(row.value);
        return (
          <tr key={row.name} className={new Set(values).size > 1 ? styles.differs : undefined}>
            <th scope="row">{row.name}</th>
            {compared.map(({ member }, index) => (
              <td key={member.member}>{values[index]}</td>
            ))}
          </tr>
        );
      })}
    </tbody>
  );
}
