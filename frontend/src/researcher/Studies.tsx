// All studies with their progress.
// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect } from "react";
import { Link } from "wouter";
import { answered, api, patience } from "../api/client";
import type { StudyProgress } from "../api/generated";
import { Bar, Notice, Sheet } from "../design/elements";
import { useLive } from "./live";
import { Lost } from "./Researcher";

const POLL_MS = 5_000;

export function Studies({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const ask = useCallback(
    () => answered(api.GET("/api/researcher/studies", { signal: patience() })),
    [],
  );
  const { data, problem, lost } = useLive(ask, () => POLL_MS);
  const signedOut = problem?.status === 401;
  useEffect(() => {
    if (signedOut) onSignedOut();
  }, [signedOut, onSignedOut]);
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
  const { recordings_ready: ready, recordings_total: total } = study;
  return (
    <li className="card">
      <div className="row spread">
        <h2>
          <Link href={`/studies/${encodeURIComponent(study.slug)}`}>{study.title}</Link>
        </h2>
        <span className={study.open ? "tag good" : "tag"}>{study.open ? "Open" : "Closed"}</span>
      </div>
      <Counts study={study} />
      {ready < total && (
        <div className="field">
          <span className="small soft">
            {ready} of {total} recordings are ready
          </span>
          <Bar label="Recordings ready" share={total > 0 ? ready / total : 0} />
        </div>
      )}
    </li>
  );
}

export function Counts({ study }: { readonly study: StudyProgress }) {
  return (
    <dl className="counts">
      <div>
        <dt>joined</dt>
        <dd>{study.participants_joined}</dd>
      </div>
      <div>
        <dt>completed</dt>
        <dd>{study.participants_completed}</dd>
      </div>
      <div>
        <dt>votes</dt>
        <dd>{study.votes}</dd>
      </div>
    </dl>
  );
}
