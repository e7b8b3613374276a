// All studies: where each one stands, and how far it is.
// SPDX-License-Identifier: Apache-2.0

import { Link } from "wouter";
import { answered, api, patience } from "../api/client";
import type { StudyProgress } from "../api/generated";
import { Card } from "../design/Card";
import { Gallery } from "../design/Gallery";
import look from "../design/look.module.css";
import { Notice } from "../design/Notice";
import { Progress } from "../design/Progress";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { counted, languageName } from "../staff/format";
import { Counts } from "./Counts";
import desk from "./desk.module.css";
import { LiveNotices } from "./live/LiveNotices";
import { useDeskLive } from "./live/useDeskLive";
import { StatusTag } from "./StatusTag";
import { TargetBars } from "./TargetBars";

const POLL_MS = 5_000;

const ask = () => answered(api.GET("/api/researcher/studies", { signal: patience() }));

export function Studies({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const live = useDeskLive(ask, () => POLL_MS, onSignedOut);
  const { data } = live;
  return (
    <Sheet title="Studies" wide>
      <LiveNotices live={live} loading="The studies are being loaded." />
      {data?.length === 0 && (
        <Notice title="There is no study yet">
          <p>
            Put a study’s YAML file into the folder <code>survey/</code> and start Thinlab again.
          </p>
        </Notice>
      )}
      <Gallery>
        {data?.map((study) => (
          <StudyCard key={study.slug} study={study} />
        ))}
      </Gallery>
    </Sheet>
  );
}

function StudyCard({ study }: { readonly study: StudyProgress }) {
  return (
    <Card as="li">
      <Row spread top>
        <h2>
          <Link href={`/studies/${encodeURIComponent(study.slug)}`}>{study.title}</Link>{" "}
          <code className={desk.slug}>{study.slug}</code>
        </h2>
        <StatusTag study={study} />
      </Row>
      <Counts
        of={[
          ["joined", study.joined],
          ["live now", study.live],
          ["completed", study.completed],
        ]}
      />
      {study.targets.length > 0 || study.stops_on ? (
        <TargetBars targets={study.targets} stopsOn={study.stops_on} />
      ) : (
        <p className={look.note}>No stop rule: it ends when you close it.</p>
      )}
      {!study.ready && <Recordings study={study} />}
      {study.live_lab_problem && (
        <p className={look.note}>Nobody can type now. {study.live_lab_problem}</p>
      )}
      <p className={look.note}>
        {study.languages.map(languageName).join(", ")} ·{" "}
        {study.access === "invitation" ? "by invitation" : "open link"} ·{" "}
        {counted(study.votes, "vote")}
        {study.ready && ` · ${counted(study.recordings_total, "recording")}`}
      </p>
    </Card>
  );
}

function Recordings({ study }: { readonly study: StudyProgress }) {
  const { recordings_ready: ready, recordings_total: total } = study;
  return (
    <Progress label={`Recordings ready of ${study.slug}`} share={total > 0 ? ready / total : 0}>
      {ready} of {total} recordings are ready
    </Progress>
  );
}
