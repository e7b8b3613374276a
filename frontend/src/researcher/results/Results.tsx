// What the votes say: plain sentences first, then the numbers drawn with their
// intervals. Asked for only where votes may be seen.
// SPDX-License-Identifier: Apache-2.0
import "./results.css";
import { useCallback } from "react";
import { Link } from "wouter";
import { answered, api, patience } from "../../api/client";
import type { StudyResults } from "../../api/generated";
import { Notice } from "../../design/elements";
import { counted, percent } from "../format";
import { Lost } from "../Lost";
import { useLive } from "../live";
import { useSignedOut, useStudy } from "../useStudy";
import { Bias } from "./Bias";
import { Hidden } from "./Hidden";
import { Noticeable } from "./Noticeable";
import { Pairs } from "./Pairs";
import { Scores } from "./Scores";

const POLL_MS = 30_000;

export function Results() {
  const { study } = useStudy();
  return study.state.votes_visible ? <Visible /> : <Hidden what="The results" />;
}

function Visible() {
  const { study, onSignedOut } = useStudy();
  const ask = useCallback(
    () =>
      answered(
        api.GET("/api/researcher/studies/{slug}/results", {
          params: { path: { slug: study.slug } },
          signal: patience(),
        }),
      ),
    [study.slug],
  );
  const live = useLive(ask, () => POLL_MS);
  useSignedOut(live, onSignedOut);
  return (
    <>
      {live.lost && <Lost />}
      {live.problem && (
        <Notice tone="bad" title={live.problem.message}>
          {live.problem.remedy}
        </Notice>
      )}
      {!live.data && !live.problem && <p className="soft">The votes are being analysed.</p>}
      {live.data && <Found results={live.data} />}
    </>
  );
}

function Found({ results }: { readonly results: StudyResults }) {
  const { study } = useStudy();
  return (
    <>
      {study.state.visible_because === "unblinded" && (
        <Notice tone="warn" title="This is an early look">
          <p>
            The study still runs. It is on record that the votes were seen before the end; see{" "}
            <Link href={`/studies/${encodeURIComponent(study.slug)}/design`}>its deviations</Link>.
          </p>
        </Notice>
      )}
      {results.hypothesis && (
        <p className="lead">
          <strong>Written down beforehand:</strong> {results.hypothesis}
        </p>
      )}
      <p className="soft">
        {counted(results.votes_analysed, "vote")} of{" "}
        {counted(results.participants_analysed, "participant")};{" "}
        {counted(results.participants_excluded, "participant")} left out
        {results.votes_of_unfinished_sessions > 0 &&
          `, and ${counted(results.votes_of_unfinished_sessions, "vote")} of unfinished sessions`}
        . Intervals hold {percent(results.confidence)}
        {results.correction === "holm" && "; p-values of primary trials are corrected after Holm"}.
      </p>
      {results.votes_analysed === 0 ? (
        <Notice title="There is nothing to analyse yet">
          <p>Training, gold and trapping trials are never part of the results.</p>
        </Notice>
      ) : (
        <>
          <section className="card" aria-labelledby="said">
            <h2 id="said">In words</h2>
            <ol className="sentences">
              {results.sentences.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ol>
          </section>
          <Pairs results={results} />
          <Noticeable results={results} />
          <Scores results={results} />
          <Bias results={results} />
        </>
      )}
    </>
  );
}
