// One row a participant.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ParticipantRow } from "../../api/generated";
import { Button } from "../../design/Button";
import { Card } from "../../design/Card";
import look from "../../design/look.module.css";
import { Table } from "../../design/Table";
import { counted, delay, moment, words } from "../../staff/format";
import { ruleNames } from "../rules";
import styles from "./ParticipantTable.module.css";

const PRESENCE: Readonly<Record<ParticipantRow["presence"], string>> = {
  withdrawn: "Withdrew",
  completed: "Completed",
  headphones_failed: "Not let in",
  connection_failed: "Not let in",
  live: "Live now",
  paused: "Paused",
  gone: "Left",
};

const AWAY: ReadonlySet<string> = new Set(["gone", "withdrawn", "headphones_failed"]);

interface ParticipantTableProps {
  readonly rows: readonly ParticipantRow[];
  readonly onChoose: (row: ParticipantRow) => void;
}

export function ParticipantTable({ rows, onChoose }: ParticipantTableProps) {
  return (
    <Card as="div">
      <Table label="Table of participants" className={styles.participants}>
        <thead>
          <tr>
            <th scope="col">Participant</th>
            <th scope="col">State</th>
            <th scope="col">Answered</th>
            <th scope="col">Completion code</th>
            <th scope="col" className={styles.secondary}>
              Joined
            </th>
            <th scope="col" className={styles.secondary}>
              Language
            </th>
            <th scope="col" className={styles.secondary}>
              Checks
            </th>
            <th scope="col">Analysis</th>
            <th scope="col">
              <span className={look.spoken}>Your word</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.pseudonym} row={row} onChoose={onChoose} />
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

interface RowProps {
  readonly row: ParticipantRow;
  readonly onChoose: (row: ParticipantRow) => void;
}

function Row({ row, onChoose }: RowProps) {
  return (
    <tr>
      <th scope="row">
        <code>{row.pseudonym}</code>
      </th>
      <td>
        <span
          className={clsx(
            styles.presence,
            row.presence === "live" && styles.live,
            AWAY.has(row.presence) && styles.away,
          )}
        >
          {PRESENCE[row.presence]}
        </span>
      </td>
      <td>{row.trials_total > 0 ? `${row.trials_done} of ${row.trials_total}` : "–"}</td>
      <td>{row.completion_code ? <code>{row.completion_code}</code> : "–"}</td>
      <td className={styles.secondary}>{moment(row.joined_at)}</td>
      <td className={styles.secondary}>{row.language}</td>
      <td className={styles.secondary}>{checks(row)}</td>
      <td>
        <Standing row={row} />
      </td>
      <td className={styles.action}>
        {row.presence !== "withdrawn" && row.kind === "person" && (
          <Button
            quiet
            slim
            aria-label={`${row.left_out ? "Take in again" : "Leave out"} ${row.pseudonym}`}
            onClick={() => onChoose(row)}
          >
            {row.left_out ? "Take in again" : "Leave out"}
          </Button>
        )}
      </td>
    </tr>
  );
}

/** The tests before the trials, and what typing came to. */
function checks(row: ParticipantRow): string {
  const { connection, sessions_void } = row;
  if (!connection) return headphones(row);
  const found = `${connection.passed ? "" : "too poor: "}${delay(connection.rtt_ms)} ± ${delay(connection.jitter_ms)}`;
  const parts = [
    ...(row.headphones ? [headphones(row)] : []),
    found,
    ...(sessions_void > 0 ? [`${counted(sessions_void, "session")} void`] : []),
  ];
  return parts.join("; ");
}

function headphones({ headphones: test }: ParticipantRow): string {
  if (!test) return "–";
  const score = test.correct !== null && test.of !== null ? `${test.correct} of ${test.of}, ` : "";
  return `${score}${test.passed ? "passed" : "failed"}`;
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
          <strong>{ruleNames[flag.rule] ?? words(flag.rule)}.</strong> {flag.finding}
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
