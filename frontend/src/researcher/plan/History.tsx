// What happened to the study, newest first; nothing in it can be changed.
// SPDX-License-Identifier: Apache-2.0
import type { Event } from "../../api/generated";
import { moment } from "../format";
import { useStudy } from "../useStudy";

const WORDS: Readonly<Record<Event["kind"], string>> = {
  closed: "Closed by the researcher",
  stopped: "Ended by its rule or its file, and votes seen",
  shown: "Votes seen while running, as declared",
  reopened: "Reopened",
  unblinded: "Votes looked at early",
  frozen: "Frozen",
};

export function History() {
  const { events } = useStudy().study;
  return (
    <section className="card" aria-labelledby="history">
      <h2 id="history">What happened</h2>
      {events.length === 0 && <p className="soft">Nothing yet.</p>}
      <ol className="events">
        {events.map((event) => (
          <li key={`${event.kind} ${event.at}`}>
            <span>
              <strong>{WORDS[event.kind]}</strong>{" "}
              {event.deviates && <span className="tag warn small">Deviation</span>}
            </span>
            <span className="small soft">{moment(event.at)}</span>
            {event.reason && <span className="small">{event.reason}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
