// The sessions that ended last, void ones with the reason.
// SPDX-License-Identifier: Apache-2.0

import { Link } from "wouter";
import type { PastSession } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import { Empty } from "../../../design/Empty";
import look from "../../../design/look.module.css";
import type { Column } from "../../../design/Table";
import { Tag } from "../../../design/Tag";
import { delay, moment } from "../../../staff/format";
import { useStudy } from "../../useStudy";
import { Network } from "./Network";
import { Noted } from "./Noted";
import { SessionsTable } from "./SessionsTable";
import sessionsTable from "./sessionsTable.module.css";
import { ends, voidReasons } from "./wording";

/** Less is what any machine adds now and then. */
const WORTH_TELLING_MS = 100;

interface PastProps {
  readonly sessions: readonly PastSession[];
  readonly replayable: boolean;
}

export function Past({ sessions, replayable }: PastProps) {
  return (
    <TitledCard id="typing-past" title="Ended sessions">
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
          <SessionsTable
            label="Table of ended sessions"
            sessions={sessions}
            columns={[
              ...TOLD,
              {
                title: "Replay",
                value: (one) => <ToReplay session={one} replayable={replayable} />,
              },
            ]}
          />
        </>
      )}
    </TitledCard>
  );
}

const TOLD: readonly Column<PastSession>[] = [
  { title: "Session", value: (one) => one.session_id },
  { title: "Participant", value: participantOf },
  { title: "Where", value: whereOf },
  { title: "Ended", value: (one) => <Outcome session={one} /> },
  { title: "Keys", className: sessionsTable.number, value: (one) => one.keys },
  {
    title: "Network",
    value: (one) => <Network session={one} rtt_ms={one.link_rtt_p50_ms} />,
  },
];

function participantOf({ participant, participant_kind: kind }: PastSession) {
  return (
    <Noted note={kind !== "person" && ` (${kind})`}>
      <code>{participant}</code>
    </Noted>
  );
}

function whereOf({ trial, place, attempt }: PastSession) {
  return (
    <Noted note={attempt > 1 && ` · try ${attempt}`}>
      {trial}, {place}
    </Noted>
  );
}

interface ToReplayProps {
  readonly session: PastSession;
  readonly replayable: boolean;
}

function ToReplay({ session, replayable }: ToReplayProps) {
  const { study } = useStudy();
  const { session_id, state, participant_kind } = session;
  if (state !== "done" || !(replayable || participant_kind === "preview")) {
    return <span className={look.soft}>–</span>;
  }
  return (
    <Link href={`/studies/${encodeURIComponent(study.slug)}/typing/${session_id}`}>
      Replay {session_id}
    </Link>
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
