// All experiments: what each asks, how far it is, what came of it.
// SPDX-License-Identifier: Apache-2.0
import { Link } from "wouter";
import { answered, api, patience } from "../../api/client";
import type { ExperimentSummary } from "../../api/generated";
import { ButtonLink } from "../../design/Button";
import { Card } from "../../design/Card";
import { Failure } from "../../design/Failure";
import { Gallery } from "../../design/Gallery";
import look from "../../design/look.module.css";
import { Notice } from "../../design/Notice";
import { Row } from "../../design/Row";
import { Sheet } from "../../design/Sheet";
import { moment } from "../../staff/format";
import desk from "../desk.module.css";
import { LiveNotices } from "../live/LiveNotices";
import { useDeskLive } from "../live/useDeskLive";
import styles from "./Experiments.module.css";
import { RunNow } from "./RunNow";
import { StateTag } from "./StateTag";
import { outcomesOf, pageOf, reportOf } from "./wording";

const BUSY_POLL_MS = 2_000;
const POLL_MS = 5_000;

const ask = () => answered(api.GET("/api/researcher/experiments", { signal: patience() }));

export function Experiments({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const live = useDeskLive(
    ask,
    (data) =>
      data && !data.reading && data.experiments.every(({ run }) => run?.stage !== "running")
        ? POLL_MS
        : BUSY_POLL_MS,
    onSignedOut,
  );
  const { data } = live;
  return (
    <Sheet title="Experiments" wide>
      <LiveNotices live={live} loading="The experiments are being looked up." />
      {data?.experiments.length === 0 && (
        <Notice title="There is no experiment yet">
          <p>
            <code>thinlab experiment run FILE</code> on the server runs one; it appears here as soon
            as it has begun. <a href="/docs/experiments.html">How experiments are written</a>
          </p>
        </Notice>
      )}
      {data?.reading && (
        <p className={look.note} role="status">
          What has changed since somebody last looked is being read.
        </p>
      )}
      <Gallery>
        {data?.experiments.map((experiment) => (
          <ExperimentCard key={experiment.name} of={experiment} />
        ))}
      </Gallery>
    </Sheet>
  );
}

function ExperimentCard({ of }: { readonly of: ExperimentSummary }) {
  const { name, title, description, results, run, problem, results_problem } = of;
  const outcomes = outcomesOf(of);
  return (
    <Card as="li">
      <Row spread top>
        <h2>
          <Link href={pageOf(name)}>{title}</Link> <code className={desk.slug}>{name}</code>
        </h2>
        <StateTag of={of} />
      </Row>
      {description && <p className={look.small}>{description}</p>}
      <RunNow of={of} />
      {problem && <Failure title="Its file cannot be used" remedy={firstLine(problem)} />}
      {results_problem && <p className={look.note}>{results_problem}</p>}
      {outcomes.length > 0 && <p className={look.small}>{outcomes.join(" · ")}</p>}
      {!results && of.cells > 0 && run?.stage !== "running" && (
        <p className={look.note}>
          {of.cells} cells, {of.sessions_wanted} sessions of {of.minutes} virtual minutes.
        </p>
      )}
      {results && (
        <Row className={styles.foot}>
          <ButtonLink quiet slim href={reportOf(name)} aria-label={`Report: ${title}`}>
            Report
          </ButtonLink>
          <span className={look.note}>Run {moment(results.written_at)}</span>
        </Row>
      )}
    </Card>
  );
}

const firstLine = (text: string): string => text.split("\n")[0] ?? text;
