// How the installation is: what is well, what to look at, what to do now.
// SPDX-License-Identifier: Apache-2.0
import { useCallback } from "react";
import { answered, api, patience } from "../api/client";
import type { HealthLevel, HealthPart } from "../api/generated";
import { Notice, Sheet } from "../design/elements";
import { Lost } from "./Lost";
import { useLive } from "./live";
import { useSignedOut } from "./useStudy";

// As often as the server looks.
const POLL_MS = 15_000;

const WORD: Record<HealthLevel, string> = { well: "Well", look: "Look", act: "Act now" };
const TONE: Record<HealthLevel, string> = { well: "tag good", look: "tag warn", act: "tag bad" };

export function Health({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const ask = useCallback(
    () => answered(api.GET("/api/researcher/health", { signal: patience() })),
    [],
  );
  const live = useLive(ask, () => POLL_MS);
  const signedOut = useSignedOut(live, onSignedOut);
  const { data, problem, lost } = live;
  return (
    <Sheet title="Health" wide>
      {lost && <Lost />}
      {problem && !signedOut && (
        <Notice tone="bad" title={problem.message}>
          {problem.remedy}
        </Notice>
      )}
      {!data && !problem && !lost && <p className="soft">Thinlab is being looked at.</p>}
      {data && (
        <>
          <p className="soft small">
            Looked at {new Date(data.looked_at).toLocaleTimeString("en-GB")}, every 15 seconds.
          </p>
          <ul className="health">
            {data.parts.map((part) => (
              <HealthRow key={part.name} part={part} />
            ))}
          </ul>
        </>
      )}
    </Sheet>
  );
}

function HealthRow({ part }: { readonly part: HealthPart }) {
  return (
    <li className="card">
      <div className="row spread top-aligned">
        <h2>{part.name}</h2>
        <span className={TONE[part.level]}>{WORD[part.level]}</span>
      </div>
      <p>{part.said}</p>
      {part.remedy && <p className="small">{part.remedy}</p>}
    </li>
  );
}
