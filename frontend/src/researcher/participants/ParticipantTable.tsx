// One row a participant.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ParticipantRow } from "../../api/generated";
import { Button } from "../../design/Button";
import { Card } from "../../design/Card";
import look from "../../design/look.module.css";
import { type Column, Records } from "../../design/Table";
import { moment, words } from "../../staff/format";
import { kinds } from "../kinds/registry";
import { ruleNames } from "../rules";
import styles from "./ParticipantTable.module.css";

const PRESENCE: Readonly<Record<ParticipantRow["presence"], string>> = {
  withdrawn: "Withdrew",
  completed: "Completed",
  headphones_failed: "Not let in",
  hearing_failed: "Not let in",
  connection_failed: "Not let in",
  ineligible: "Not eligible",
  live: "Live now",
  paused: "Paused",
  gone: "Left",
};

const AWAY: ReadonlySet<string> = new Set([
  "gone",
  "withdrawn",
  "headphones_failed",
  "hearing_failed",
  "ineligible",
]);

interface ParticipantTableProps {
  readonly rows: readonly ParticipantRow[];
  readonly onChoose: (row: ParticipantRow) => void;
}

export function ParticipantTable({ rows, onChoose }: ParticipantTableProps) {
  return (
    <Card as="div">
      <Records
        label="Table of participants"
        className={styles.participants}
        rows={rows}
        keyOf={(row) => row.pseudonym}
        columns={[
          ...TOLD,
          {
            title: "Your word",
            titleSpoken: true,
            className: styles.action,
            value: (row) => <Word row={row} onChoose={onChoose} />,
          },
        ]}
      />
    </Card>
  );
}

const TOLD: readonly Column<ParticipantRow>[] = [
  { title: "Participant", value: (row) => <code>{row.pseudonym}</code> },
  { title: "State", value: (row) => <Presence presence={row.presence} /> },
  {
    title: "Answered",
    value: (row) => (row.trials_total > 0 ? `${row.trials_done} of ${row.trials_total}` : "–"),
  },
  {
    title: "Completion code",
    value: (row) => (row.completion_code ? <code>{row.completion_code}</code> : "–"),
  },
  { title: "Joined", className: styles.secondary, value: (row) => moment(row.joined_at) },
  { title: "Language", className: styles.secondary, value: (row) => row.language },
  {
    title: "Checks",
    className: styles.secondary,
    value: (row) => kinds.flatMap((kind) => kind.checksOf(row)).join("; ") || "–",
  },
  { title: "Analysis", value: (row) => <Standing row={row} /> },
];

function Presence({ presence }: Pick<ParticipantRow, "presence">) {
  const standing = clsx(presence === "live" && styles.live, AWAY.has(presence) && styles.away);
  return <span className={clsx(styles.presence, standing)}>{PRESENCE[presence]}</span>;
}

interface WordProps {
  readonly row: ParticipantRow;
  readonly onChoose: (row: ParticipantRow) => void;
}

function Word({ row, onChoose }: WordProps) {
  if (row.presence === "withdrawn" || row.kind !== "person") return null;
  const word = row.left_out ? "Take in again" : "Leave out";
  return (
    <Button quiet slim aria-label={`${word} ${row.pseudonym}`} onClick={() => onChoose(row)}>
      {word}
    </Button>
  );
}

function Standing({ row }: { readonly row: ParticipantRow }) {
  const last = row.entries[0];
  if (row.presence === "withdrawn") return <span className={look.soft}>answers deleted</span>;
  return (
    <>
      {!row.excluded && (
        <span className={look.soft}>{last ? "taken in again" : "is analysed"}</span>
      )}
      {row.flags.map((flag) => (
        <span key={flag.rule} className={styles.flag}>
          <strong>
            {ruleNames[flag.rule] ?? words(flag.rule)}
            {!flag.excludes && " (marked)"}.
          </strong>{" "}
          {flag.finding}
        </span>
      ))}
      {last && (
        <details className={styles.flag}>
          <summary>
            {row.left_out ? "Left out by you" : "Your earlier word"}: {last.reason}
          </summary>
          <ul>
            {row.entries.map((entry) => (
              <li key={entry.at}>
                {moment(entry.at)}: {entry.excluded ? "left out" : "taken in again"}. {entry.reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}
