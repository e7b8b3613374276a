// What happened to the study, newest first; nothing in it can be changed.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import type { Event } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import { Empty } from "../../design/Empty";
import look from "../../design/look.module.css";
import { Tag } from "../../design/Tag";
import { moment } from "../../staff/format";
import { useStudy } from "../useStudy";
import record from "./record.module.css";

const WORDS: Readonly<Record<Event["kind"], string>> = {
  closed: "Closed by the researcher",
  stopped: "Ended by its rule or its file, and votes seen",
  shown: "Votes seen while running, as declared",
  reopened: "Reopened",
  unblinded: "Votes looked at early",
  frozen: "Frozen",
  looked: "Looked at, as planned",
};

export function History() {
  const { events } = useStudy().study;
  return (
    <TitledCard id="history" title="What happened">
      {events.length === 0 && <Empty>Nothing yet.</Empty>}
      <ol className={clsx(record.entries, record.unnumbered)}>
        {events.map((event) => (
          <li key={`${event.kind} ${event.at}`}>
            <span>
              <strong>{WORDS[event.kind]}</strong>{" "}
              {event.deviates && <Tag tone="warn">Deviation</Tag>}
            </span>
            <span className={look.note}>{moment(event.at)}</span>
            {event.reason && <span className={look.small}>{event.reason}</span>}
          </li>
        ))}
      </ol>
    </TitledCard>
  );
}
