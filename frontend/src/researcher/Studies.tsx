// All studies: where each one stands, and how far it is.
// SPDX-License-Identifier: Apache-2.0
import { useCallback } from "react";
import { Link } from "wouter";
import { answered, api, patience } from "../api/client";
import type { StudyProgress } from "../api/generated";
import { Bar, Notice, Sheet } from "../design/elements";
import { counted, languageName } from "./format";
import { Lost } from "./Lost";
import { useLive } from "./live";
import { StatusTag } from "./StatusTag";
import { TargetBars } from "./TargetBars";
import { useSignedOut } from "./useStudy";

const POLL_MS = 5_000;

export function Studies({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const ask = useCallback(
    () => answered(api.GET("/api/researcher/studies", { signal: patience() })),
    [],
  );
  const live = useLive(ask, () => POLL_MS);
  const signedOut = useSignedOut(live, onSignedOut);
  const { data, problem, lost } = live;
  return (
    <Sheet title="Studies" wide>
      {lost && <Lost />}
      {problem && !signedOut && (
        <Notice tone="bad" title={problem.message}>
          {problem.remedy}
        </Notice>
      )}
      {!data && !problem && !lost && <p className="soft">The studies are being loaded.</p>}
      {data?.length === 0 && (
        <Notice title="There is no study yet">
          <p>
            Put a study’s YAML file into the folder <code>survey/</code> and start Thinlab again.
          </p>
        </Notice>
      )}
      <ul className="studies">
        {data?.map((study) => (
          <StudyCard key={study.slug} study={study} />
        ))}
      </ul>
    </Sheet>
  );
}

function StudyCard({ study }: { readonly study: StudyProgress }) {
  return (
    <li className="card">
      <div className="row spread top-aligned">
        <h2>
          <Link href={`/studies/${encodeURIComponent(study.slug)}`}>{study.title}</Link>{" "}
          <code className="slug">{study.slug}</code>
        </h2>
        <StatusTag study={study} />
      </div>
      <Counts study={study} />
      {study.targets.length > 0 || study.stops_on ? (
        <TargetBars targets={study.targets} stopsOn={study.stops_on} />
      ) : (
        <p className="small soft">No stop rule: it ends when you close it.</p>
      )}
      {!study.ready && <Recordings study={study} />}
      {study.live_lab_problem && (
        <p className="small soft">Nobody can type now. {study.live_lab_problem}</p>
      )}
      <p className="small soft">
        {study.languages.map(languageName).join(", ")} ·{" "}
        {study.access === "invitation" ? "by invitation" : "open link"} ·{" "}
        {counted(study.votes, "vote")}
        {study.ready && ` · ${counted(study.recordings_total, "recording")}`}
      </p>
    </li>
  );
}

function Recordings({ study }: { readonly study: StudyProgress }) {
  const { recordings_ready: ready, recordings_total: total } = study;
  return (
    <div className="field">
      <span className="small soft">
        {ready} of {total} recordings are ready
      </span>
      <Bar label={`Recordings ready of ${study.slug}`} share={total > 0 ? ready / total : 0} />
    </div>
  );
}

function Counts({ study }: { readonly study: StudyProgress }) {
  const counts = [
    ["joined", study.joined],
    ["live now", study.live],
    ["completed", study.completed],
  ] as const;
  return (
    <dl className="counts">
      {counts.map(([name, number]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{number}</dd>
        </div>
      ))}
    </dl>
  );
}
