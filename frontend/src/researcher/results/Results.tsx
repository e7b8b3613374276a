// What the votes say: plain sentences first, then the numbers drawn with their
// intervals. Asked for only where votes may be seen.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import { Link } from "wouter";
import { answered, api, patience } from "../../api/client";
import type { Monitor, StudyResults } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Row } from "../../design/Row";
import { Segments } from "../../design/Segments";
import { counted, percent } from "../../staff/format";
import { Hidden } from "../Hidden";
import { kinds } from "../kinds/registry";
import { LiveNotices } from "../live/LiveNotices";
import { useStudyLive } from "../live/useDeskLive";
import { ofKind, useStudy } from "../useStudy";
import { Looks } from "./hypotheses/Looks";
import styles from "./Results.module.css";
import { RESULT_KINDS } from "./registry";

const POLL_MS = 30_000;

type Kind = Monitor["kind"];

const WHOSE: Readonly<Record<Kind, string>> = {
  person: "People",
  bot: "Bots",
  preview: "Previews",
};

const WHICH = { after: "As planned", before: "Before exclusion" } as const;

type Which = keyof typeof WHICH;

const ask: Readonly<Record<Which, (slug: string, kind: Kind) => Promise<StudyResults>>> = {
  after: (slug, kind) =>
    answered(api.GET("/api/researcher/studies/{slug}/results", ofKind(slug, kind))),
  before: (slug, kind) =>
    answered(
      api.GET("/api/researcher/studies/{slug}/results", {
        params: { path: { slug }, query: { kind, exclusions: false } },
        signal: patience(),
      }),
    ),
};

export function Results() {
  const { study } = useStudy();
  const [kind, setKind] = useState<Kind>("person");
  const [which, setWhich] = useState<Which>("after");
  const shown = kind !== "person" || study.state.votes_visible;
  return (
    <>
      <Row>
        <Segments name="Whose votes" options={WHOSE} chosen={kind} onChoose={setKind} />
        {shown && <Segments name="Exclusion" options={WHICH} chosen={which} onChoose={setWhich} />}
      </Row>
      {shown && which === "before" && (
        <Notice tone="warn" title="Nobody is left out here">
          <p>
            These are not the planned results: whoever falls under a rule, or was left out by hand,
            is in them. They show how much the exclusions matter.
          </p>
        </Notice>
      )}
      {kind !== "person" && (
        <Notice tone="warn" title={`A rehearsal: votes of ${WHOSE[kind].toLowerCase()} alone`}>
          <p>Nothing below is a result of this study. People’s votes are not in it.</p>
        </Notice>
      )}
      {shown ? <Visible key={`${kind} ${which}`} kind={kind} which={which} /> : <Running />}
    </>
  );
}

/** While votes are hidden: what was found at the latest look, where any was planned and taken. */
function Running() {
  const { study } = useStudy();
  const [taken, setTaken] = useState(0);
  const planned = study.definition.analysis?.interim != null;
  const looked = taken > 0 || study.events.some(({ kind }) => kind === "looked");
  return (
    <>
      {planned && <Looks onTaken={() => setTaken(taken + 1)} />}
      {looked ? <Visible key={taken} kind="person" which="after" /> : <Hidden what="The results" />}
    </>
  );
}

interface VisibleProps {
  readonly kind: Kind;
  readonly which: Which;
}

function Visible({ kind, which }: VisibleProps) {
  const live = useStudyLive(ask[which], () => POLL_MS, kind);
  return (
    <>
      <LiveNotices live={live} loading="The votes are being analysed." />
      {live.data && <Found results={live.data} kind={kind} />}
    </>
  );
}

interface FoundProps {
  readonly results: StudyResults;
  readonly kind: Kind;
}

function Found({ results, kind }: FoundProps) {
  const { study } = useStudy();
  const warned = kinds.map((kind) => kind.results?.warning(results));
  const sentences = results.sentences.filter((sentence) => !warned.includes(sentence));
  return (
    <>
      {kind === "person" && study.state.visible_because === "unblinded" && (
        <Notice tone="warn" title="This is an early look">
          <p>
            The study still runs. It is on record that the votes were seen before the end; see{" "}
            <Link href={`/studies/${encodeURIComponent(study.slug)}/design`}>its deviations</Link>.
          </p>
        </Notice>
      )}
      {results.hypothesis && (
        <p className={look.lead}>
          <strong>Written down beforehand:</strong> {results.hypothesis}
        </p>
      )}
      <p className={look.soft}>
        {counted(results.votes_analysed, "vote")} of{" "}
        {counted(results.participants_analysed, "participant")};{" "}
        {counted(results.participants_excluded, "participant")} left out
        {results.votes_of_unfinished_sessions > 0 &&
          `, and ${counted(results.votes_of_unfinished_sessions, "vote")} of unfinished sessions`}
        {results.votes_of_other_versions > 0 &&
          `, and ${counted(results.votes_of_other_versions, "vote")} on trials that the file has since changed`}
        . Intervals hold {percent(results.confidence)}
        {results.correction === "holm" && "; p-values of primary tests are corrected after Holm"}.
      </p>
      {results.votes_analysed === 0 ? (
        <Notice title="There is nothing to analyse yet">
          <p>Training, gold and trapping trials are never part of the results.</p>
        </Notice>
      ) : (
        <>
          {kinds.map(
            ({ medium, results: own }) => own && <own.Warning key={medium} results={results} />,
          )}
          {sentences.length > 0 && (
            <TitledCard id="said" title="In words">
              <ol className={styles.sentences}>
                {sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ol>
            </TitledCard>
          )}
          {RESULT_KINDS.map(({ name, Card }) => (
            <Card key={name} results={results} kind={kind} />
          ))}
          {kinds.map(
            ({ medium, results: own }) => own && <own.Figures key={medium} results={results} />,
          )}
        </>
      )}
    </>
  );
}
