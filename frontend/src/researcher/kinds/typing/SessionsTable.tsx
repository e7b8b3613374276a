// Sessions as a table, which scrolls rather than break its lines.
// SPDX-License-Identifier: Apache-2.0
import { type Column, Records } from "../../../design/Table";
import styles from "./sessionsTable.module.css";

interface SessionsTableProps<Session> {
  readonly label: string;
  readonly sessions: readonly Session[];
  readonly columns: readonly Column<Session>[];
}

export function SessionsTable<Session extends { readonly session_id: number }>(
  props: SessionsTableProps<Session>,
) {
  const { label, sessions, columns } = props;
  return (
    <Records
      label={label}
      className={styles.table}
      rows={sessions}
      keyOf={({ session_id }) => session_id}
      columns={columns}
    />
  );
}
