// One study: its address and exports, its recordings on their way, and each
// trial with what was measured and what people said.
// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useState } from "react";
import { Link } from "wouter";
import { answered, api, patience } from "../api/client";
import type { RecordingOverview, StudyOverview } from "../api/generated";
import { Bar, Button, Notice, Sheet } from "../design/elements";
import { type Live, useLive } from "./live";
import { Lost } from "./Researcher";
import { Counts } from "./Studies";
import { TrialCard } from "./TrialCard";

const MAKING_POLL_MS = 1_500;
const POLL_MS = 6_000;

interface StudyProps {
  readonly slug: string;
  readonly onSignedOut: () => void;
}

export function Study({ slug, onSignedOut }: StudyProps) {
  const ask = useCallback(
    () =>
      answered(
        api.GET("/api/researcher/studies/{slug}", {
          params: { path: { slug } },
          signal: patience(),
        }),
      ),
    [slug],
  );
  const live = useLive(ask, (study) => (study?.making ? MAKING_POLL_MS : POLL_MS));
  const signedOut = live.problem?.status === 401;
  useEffect(() => {
    if (signedOut) onSignedOut();
  }, [signedOut, onSignedOut]);
  if (!live.data) return <NotThere live={live} />;
  return <Loaded study={live.data} live={live} />;
}

function NotThere({ live }: { readonly live: Live<StudyOverview> }) {
  return (
    <Sheet title={live.problem ? live.problem.message : "One moment"} tab="Study" wide>
      {live.lost && <Lost />}
      {live.problem ? <p>{live.problem.remedy}</p> : <p className="soft">The study is loading.</p>}
      <p>
        <Link href="/">All studies</Link>
      </p>
    </Sheet>
  );
}

function Loaded({ study, live }: { readonly study: StudyOverview; readonly live: Live<unknown> }) {
  return (
    <Sheet
      title={study.title}
      wide
      above={
        <nav aria-label="Breadcrumb" className="small">
          <Link href="/">All studies</Link>
        </nav>
      }
    >
      {live.lost && <Lost />}
      <p className="lead">{study.description}</p>
      <div className="columns">
        <section className="card" aria-labelledby="progress">
          <h2 id="progress">Progress</h2>
          <Counts study={study} />
          <Making study={study} onAsked={live.refresh} />
        </section>
        <section className="card" aria-labelledby="handout">
          <h2 id="handout">Hand out and take home</h2>
          <Address path={study.participant_path} />
          <Exports slug={study.slug} />
        </section>
      </div>
      <h2>Trials</h2>
      {study.trials.map((trial) => (
        <TrialCard key={trial.id} trial={trial} />
      ))}
      <p className="small soft">
        Definition <code title={study.study_hash}>{study.study_hash.slice(0, 12)}</code>
      </p>
    </Sheet>
  );
}

function Address({ path }: { readonly path: string }) {
  const [copied, setCopied] = useState("");
  const address = new URL(path, location.origin).href;
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => setCopied("Copied."),
      () => setCopied("Copying is not allowed here; please select the address."),
    );
  return (
    <div className="field">
      <span className="label">Participants’ address</span>
      <a className="address" href={path}>
        {address}
      </a>
      <div className="row">
        <Button quiet slim onClick={() => void copy()}>
          Copy the address
        </Button>
        <a className="button quiet slim" href={`${path}?preview`}>
          Preview
        </a>
        <span role="status" className="small soft">
          {copied}
        </span>
      </div>
    </div>
  );
}

function Exports({ slug }: { readonly slug: string }) {
  const at = `/api/researcher/studies/${encodeURIComponent(slug)}`;
  return (
    <div className="field">
      <span className="label">Votes, joined with what was measured</span>
      <div className="row">
        <a className="button slim" href={`${at}/export.csv`} download>
          Export votes (CSV)
        </a>
        <a className="button quiet slim" href={`${at}/codebook.csv`} download>
          Codebook (CSV)
        </a>
      </div>
    </div>
  );
}

interface MakingProps {
  readonly study: StudyOverview;
  readonly onAsked: () => void;
}

function Making({ study, onAsked }: MakingProps) {
  const all = study.trials.flatMap((trial) => trial.recordings);
  const { recordings_ready: ready, recordings_total: total } = study;
  if (ready >= total) return <p className="small soft">All {total} recordings are ready.</p>;
  const path = { slug: study.slug };
  const make = async () => {
    await api.POST("/api/researcher/studies/{slug}/record", { params: { path } }).catch(() => null);
    onAsked();
  };
  return (
    <div className="field">
      <span className="small" role="status">
        {ready} of {total} recordings are ready{study.making ? "; the others are being made." : "."}
      </span>
      <Bar label="Recordings ready" share={shareMade(all)} />
      {!study.making && (
        <div className="row">
          <Button slim onClick={() => void make()}>
            Make the missing recordings
          </Button>
        </div>
      )}
      {all.some((recording) => recording.status === "failed") && (
        <Notice tone="bad">Some recordings failed; the trials below say why.</Notice>
      )}
    </div>
  );
}

function shareMade(recordings: readonly RecordingOverview[]): number {
  const sum = recordings.reduce(
    (made, { status, progress_share }) =>
      made + (status === "ready" ? 1 : status === "making" ? progress_share : 0),
    0,
  );
  return recordings.length > 0 ? sum / recordings.length : 0;
}
