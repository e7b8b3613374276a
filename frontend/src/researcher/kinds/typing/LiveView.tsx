// Who types now, how many have, and what failed. Asks again by itself; nothing
// that it gets tells a condition.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { answered, api } from "../../../api/client";
import type { TypingNow, TypingStudy } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Row } from "../../../design/Row";
import type { Column } from "../../../design/Table";
import { clock, counted } from "../../../staff/format";
import desk from "../../desk.module.css";
import { LiveNotices } from "../../live/LiveNotices";
import { useStudyLive } from "../../live/useDeskLive";
import { ofStudy } from "../../useStudy";
import { Network } from "./Network";
import { Noted } from "./Noted";
import { Past } from "./Past";
import { SessionsTable } from "./SessionsTable";
import { Summary } from "./Summary";
import sessionsTable from "./sessionsTable.module.css";
import { stages } from "./wording";

const POLL_MS = 1_000;

const ask = (slug: string) =>
  answered<TypingStudy>(api.GET("/api/researcher/studies/{slug}/typing", ofStudy(slug)));

export function LiveView() {
  const live = useStudyLive(ask, () => POLL_MS);
  const notices = <LiveNotices live={live} loading="The sessions are being loaded." />;
  if (!live.data) return notices;
  return (
    <>
      {notices}
      <Row spread>
        <p className={look.soft}>
          Modes and conditions stay hidden here, and so does how fast echoes came.
        </p>
        <span className={clsx(desk.liveMark, look.note)}>Live · {clock(live.data.at)}</span>
      </Row>
      <Now running={live.data.running} />
      <Summary counts={live.data.counts} />
      <Past sessions={live.data.latest} replayable={live.data.replayable} />
    </>
  );
}

const COLUMNS: readonly Column<TypingNow>[] = [
  { title: "Participant", value: (one) => <code>{one.participant}</code> },
  { title: "Where", value: whereOf },
  { title: "Stage", value: (one) => stages[one.stage] },
  { title: "Since", value: (one) => clock(one.since) },
  { title: "Keys", className: sessionsTable.number, value: (one) => one.keys },
  {
    title: "Network",
    value: (one) => <Network session={one} rtt_ms={one.link_rtt_ms} without="away" />,
  },
];

function whereOf({ position, place, training }: TypingNow) {
  return (
    <Noted note={training && " (training)"}>
      Trial {position}, {place}
    </Noted>
  );
}

function Now({ running }: { readonly running: readonly TypingNow[] }) {
  return (
    <TitledCard id="typing-now" title="Typing now">
      {running.length === 0 ? (
        <p className={look.soft}>Nobody types at the moment. Who begins appears here by itself.</p>
      ) : (
        <>
          <p className={look.note}>{counted(running.length, "session")} under way.</p>
          <SessionsTable label="Table of sessions under way" sessions={running} columns={COLUMNS} />
        </>
      )}
    </TitledCard>
  );
}
