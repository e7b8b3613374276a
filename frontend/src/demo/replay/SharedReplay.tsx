// A replay that was shared: to look at, with its files to take away.
// SPDX-License-Identifier: Apache-2.0
import { useCallback } from "react";
import { answered, api, patience } from "../../api/client";
import { Notice, Sheet } from "../../design/elements";
import { moment } from "../../researcher/format";
import { Lost } from "../../researcher/Lost";
import { useLive } from "../../researcher/live";
import { Captures } from "../Captures";
import { Replay } from "./Replay";

const HARDLY_EVER_MS = 3_600_000;
const LOST_POLL_MS = 2_000;

export function SharedReplay({ token }: { readonly token: string }) {
  const ask = useCallback(
    () =>
      answered(
        api.GET("/api/shared-demos/{token}", { params: { path: { token } }, signal: patience() }),
      ),
    [token],
  );
  const { data, problem, lost, said } = useLive(ask, (demo) =>
    demo ? HARDLY_EVER_MS : LOST_POLL_MS,
  );
  if (!data) {
    return (
      <Sheet title={problem ? problem.message : "One moment"} tab="Replay">
        {lost && <Lost said={said} />}
        {problem?.remedy && <Notice>{problem.remedy}</Notice>}
        {!problem && !lost && <p className="soft">The replay is being loaded.</p>}
      </Sheet>
    );
  }
  const { summary, takes } = data;
  const base = `/api/shared-demos/${encodeURIComponent(token)}`;
  return (
    <Sheet title={summary.title} tab="Replay" wide>
      <p className="soft wide-line">
        A live demo of {moment(summary.began_at)}: one stream over several lanes that meet the same
        losses; only the senders differ.
      </p>
      <Replay base={base} demo={data} />
      <section className="card" aria-labelledby="shared-files">
        <h2 id="shared-files">Files</h2>
        <div className="row">
          <a className="button quiet slim" href={`${base}/results`} download>
            Results (JSON)
          </a>
        </div>
        {takes.map((take) => (
          <div key={take.number} className="field">
            <h3>Take {take.number}</h3>
            <Captures take={take} base={base} />
          </div>
        ))}
      </section>
    </Sheet>
  );
}
