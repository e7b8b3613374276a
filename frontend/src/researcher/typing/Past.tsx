// The sessions that ended last, void ones with the reason.
// SPDX-License-Identifier: Apache-2.0

import { Link } from "wouter";
import type { PastSession } from "../../api/generated";
import { Card } from "../../design/Card";
import { Empty } from "../../design/Empty";
import look from "../../design/look.module.css";
import { Table } from "../../design/Table";
import { Tag } from "../../design/Tag";
import { counted, delay, moment } from "../../staff/format";
import { useStudy } from "../useStudy";
import sessionsTable from "./sessionsTable.module.css";
import { ends, transports, voidReasons } from "./wording";

/** Less is what any machine adds now and then. */
const WORTH_TELLING_MS = 100;

interface PastProps {
  readonly sessions: readonly PastSession[];
  readonly replayable: boolean;
}

export function Past({ sessions, replayable }: PastProps) {
  const { study } = useStudy();
  return (
    <Card aria-labelledby="typing-past">
      <h2 id="typing-past">Ended sessions</h2>
      {sessions.length === 0 ? (
        <Empty>No session has ended yet.</Empty>
      ) : (
        <>
          {!replayable && (
            <p className={look.note}>
              A replay shows the mode in every packet: sessions can be replayed once the votes may
              be seen, those of a preview at once.
            </p>
          )}
          <Table label="Table of ended sessions" className={sessionsTable.table}>
            <thead>
              <tr>
                <th scope="col">Session</th>
                <th scope="col">Participant</th>
                <th scope="col">Where</th>
                <th scope="col">Ended</th>
                <th scope="col" className={sessionsTable.number}>
                  Keys
                </th>
                <th scope="col">Network</th>
                <th scope="col">Replay</th>
              </tr>
            </thead>
            <tbody>
              {sessions.map((one) => (
                <tr key={one.session_id}>
                  <th scope="row">{one.session_id}</th>
                  <td>
                    <code>{one.participant}</code>
                    {one.participant_kind !== "person" && (
                      <span className={look.soft}> ({one.participant_kind})</span>
                    )}
                  </td>
                  <td>
                    {one.trial}, {one.place}
                    {one.attempt > 1 && <span className={look.soft}> · try {one.attempt}</span>}
                  </td>
                  <td>
                    <Outcome session={one} />
                  </td>
                  <td className={sessionsTable.number}>{one.keys}</td>
                  <td>
                    {delay(one.link_rtt_p50_ms)}
                    <span className={look.soft}>
                      {" "}
                      ± {delay(one.link_jitter_ms)}
                      {one.transport && ` · ${transports[one.transport] ?? one.transport}`}
                      {!!one.reconnects && ` · ${counted(one.reconnects, "reconnect")}`}
                    </span>
                  </td>
                  <td>
                    {one.state === "done" && (replayable || one.participant_kind === "preview") ? (
                      <Link
                        href={`/studies/${encodeURIComponent(study.slug)}/typing/${one.session_id}`}
                      >
                        Replay {one.session_id}
                      </Link>
                    ) : (
                      <span className={look.soft}>–</span>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
    </Card>
  );
}

function Outcome({ session }: { readonly session: PastSession }) {
  const { state, reason, end, ended_at, typed_ms, emulator_trustworthy, host_wait_max_ms } =
    session;
  return (
    <>
      {state === "void" ? (
        <>
          <Tag tone="warn">Void</Tag> {voidReasons[reason ?? ""] ?? reason}
        </>
      ) : (
        <>
          {ends[end ?? ""] ?? end}
          {typed_ms !== null && typed_ms !== undefined && (
            <span className={look.soft}> after {(typed_ms / 1000).toFixed(1)} s</span>
          )}
          {emulator_trustworthy === false && (
            <>
              {" "}
              <Tag tone="warn">Host too busy</Tag>
            </>
          )}
          {(host_wait_max_ms ?? 0) >= WORTH_TELLING_MS && (
            <>
              {" "}
              <Tag tone="warn">A key waited {delay(host_wait_max_ms)} for the host</Tag>
            </>
          )}
        </>
      )}
      {ended_at && <span className={look.note}> · {moment(ended_at)}</span>}
    </>
  );
}
