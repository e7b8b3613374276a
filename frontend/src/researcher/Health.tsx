// How the installation is: what is well, what to look at, what to do now.
// SPDX-License-Identifier: Apache-2.0

import { useCallback } from "react";
import { answered, api, patience } from "../api/client";
import type { HealthLevel, HealthPart } from "../api/generated";
import { Card } from "../design/Card";
import { Empty } from "../design/Empty";
import { Failure } from "../design/Failure";
import look from "../design/look.module.css";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { Tag, type Tone } from "../design/Tag";
import { Lost } from "../staff/Lost";
import { useLive } from "../staff/live";
import desk from "./desk.module.css";
import { useSignedOut } from "./useStudy";

// As often as the server looks.
const POLL_MS = 15_000;

const WORD: Record<HealthLevel, string> = { well: "Well", look: "Look", act: "Act now" };
const TONE: Record<HealthLevel, Tone> = { well: "good", look: "warn", act: "bad" };

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
      {problem && !signedOut && <Failure title={problem.message} remedy={problem.remedy} />}
      {!data && !problem && !lost && <Empty>Thinlab is being looked at.</Empty>}
      {data && (
        <>
          <p className={look.note}>
            Looked at {new Date(data.looked_at).toLocaleTimeString("en-GB")}, every 15 seconds.
          </p>
          <ul className={desk.gallery}>
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
    <Card as="li">
      <Row spread top>
        <h2>{part.name}</h2>
        <Tag tone={TONE[part.level]}>{WORD[part.level]}</Tag>
      </Row>
      <p>{part.said}</p>
      {part.remedy && <p className={look.small}>{part.remedy}</p>}
    </Card>
  );
}
