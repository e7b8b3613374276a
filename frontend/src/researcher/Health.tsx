// How the installation is: what is well, what to look at, what to do now.
// SPDX-License-Identifier: Apache-2.0

import { answered, api, patience } from "../api/client";
import type { HealthLevel, HealthPart } from "../api/generated";
import { Card } from "../design/Card";
import { Gallery } from "../design/Gallery";
import look from "../design/look.module.css";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { Tag } from "../design/Tag";
import type { Tone } from "../design/tone";
import { LiveNotices } from "./live/LiveNotices";
import { useDeskLive } from "./live/useDeskLive";

// As often as the server looks.
const POLL_MS = 15_000;

const WORD: Record<HealthLevel, string> = { well: "Well", look: "Look", act: "Act now" };
const TONE: Record<HealthLevel, Tone> = { well: "good", look: "warn", act: "bad" };

const ask = () => answered(api.GET("/api/researcher/health", { signal: patience() }));

export function Health({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const live = useDeskLive(ask, () => POLL_MS, onSignedOut);
  const { data } = live;
  return (
    <Sheet title="Health" wide>
      <LiveNotices live={live} loading="Thinlab is being looked at." />
      {data && (
        <>
          <p className={look.note}>
            Looked at {new Date(data.looked_at).toLocaleTimeString("en-GB")}, every 15 seconds.
          </p>
          <Gallery>
            {data.parts.map((part) => (
              <HealthRow key={part.name} part={part} />
            ))}
          </Gallery>
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
