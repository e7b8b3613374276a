// Who types now, how many have, and what failed. Asks again by itself; nothing
// that it gets tells a condition.
// SPDX-License-Identifier: Apache-2.0
import { useCallback, useState } from "react";
import { answered, api, patience } from "../../api/client";
import type { TypingNow, TypingStudy } from "../../api/generated";
import { Notice } from "../../design/elements";
import { clock, counted } from "../format";
import { Lost } from "../Lost";
import { useLive } from "../live";
import { pace } from "../pace";
import { useSignedOut, useStudy } from "../useStudy";
import { Past } from "./Past";
import { Summary } from "./Summary";
import { milliseconds, stages, transports } from "./wording";

const POLL_MS = 1_000;

export function LiveView() {
  const { study, onSignedOut } = useStudy();
  const [{ timed, pause_ms }] = useState(() => pace());
  const ask = useCallback(
    () =>
      timed(() =>
        answered<TypingStudy>(
          api.GET("/api/researcher/studies/{slug}/typing", {
            params: { path: { slug: study.slug } },
            signal: patience(),
          }),
        ),
      ),
    [study.slug, timed],
  );
  const live = useLive(ask, () => pause_ms(POLL_MS));
  useSignedOut(live, onSignedOut);
  if (!live.data) {
    return (
      <>
        {live.lost && <Lost />}
        {live.problem && (
          <Notice tone="bad" title={live.problem.message}>
            {live.problem.remedy}
          </Notice>
        )}
        {!live.problem && <p className="soft">The sessions are being loaded.</p>}
      </>
    );
  }
  return (
    <>
      {live.lost && <Lost />}
      <div className="row spread">
        <p className="soft">
          Modes and conditions stay hidden here, and so does how fast echoes came.
        </p>
        <span className="small soft live-mark">Live · {clock(live.data.at)}</span>
      </div>
      <Now running={live.data.running} />
      <Summary counts={live.data.counts} />
      <Past sessions={live.data.latest} replayable={live.data.replayable} />
    </>
  );
}

function Now({ running }: { readonly running: readonly TypingNow[] }) {
  return (
    <section className="card" aria-labelledby="typing-now">
      <h2 id="typing-now">Typing now</h2>
      {running.length === 0 ? (
        <p className="soft">Nobody types at the moment. Who begins appears here by itself.</p>
      ) : (
        <>
          <p className="small soft">{counted(running.length, "session")} under way.</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys */}
          <section className="table" aria-label="Table of sessions under way" tabIndex={0}>
            <table className="sessions-table">
              <thead>
                <tr>
                  <th scope="col">Participant</th>
                  <th scope="col">Where</th>
                  <th scope="col">Stage</th>
                  <th scope="col">Since</th>
                  <th scope="col" className="number">
                    Keys
                  </th>
                  <th scope="col">Network</th>
                </tr>
              </thead>
              <tbody>
                {running.map((one) => (
                  <tr key={one.session_id}>
                    <th scope="row">
                      <code>{one.participant}</code>
                    </th>
                    <td>
                      Trial {one.position}, {one.place}
                      {one.training && <span className="soft"> (training)</span>}
                    </td>
                    <td>{stages[one.stage]}</td>
                    <td>{clock(one.since)}</td>
                    <td className="number">{one.keys}</td>
                    <td>
                      {milliseconds(one.link_rtt_ms)}
                      <span className="soft">
                        {" "}
                        ± {milliseconds(one.link_jitter_ms)} ·{" "}
                        {transports[one.transport ?? ""] ?? "away"}
                        {one.reconnects > 0 && ` · ${counted(one.reconnects, "reconnect")}`}
                      </span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </>
      )}
    </section>
  );
}
