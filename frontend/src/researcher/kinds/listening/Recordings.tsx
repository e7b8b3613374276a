// A study's recordings: have them made, watch it, listen, and see what was measured.
// SPDX-License-Identifier: Apache-2.0

import { answered, api } from "../../../api/client";
import look from "../../../design/look.module.css";
import { LiveNotices } from "../../live/LiveNotices";
import { useStudyLive } from "../../live/useDeskLive";
import { ofStudy } from "../../useStudy";
import { ProgressCard } from "./ProgressCard";
import { TrialCard } from "./TrialCard";

const MAKING_POLL_MS = 1_000;
const POLL_MS = 10_000;

const ask = (slug: string) =>
  answered(api.GET("/api/researcher/studies/{slug}/recordings", ofStudy(slug)));

export function Recordings() {
  const live = useStudyLive(ask, (recordings) =>
    recordings && recordings.counts.under_way > 0 ? MAKING_POLL_MS : POLL_MS,
  );
  const notices = <LiveNotices live={live} loading="The recordings are being looked up." />;
  if (!live.data) return <div role="status">{notices}</div>;
  return (
    <>
      {notices}
      <ProgressCard recordings={live.data} onAsked={live.refresh} />
      <p className={look.soft}>
        This page tells what participants must not know: do not show it to anybody who may take
        part.
      </p>
      {live.data.trials.map((trial, number) => (
        <TrialCard key={trial.id} trial={trial} open={number === 0} />
      ))}
    </>
  );
}
