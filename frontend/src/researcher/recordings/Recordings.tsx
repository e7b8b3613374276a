// A study's recordings: have them made, watch it, listen, and see what was measured.
// SPDX-License-Identifier: Apache-2.0

import { useCallback } from "react";
import { answered, api, patience } from "../../api/client";
import { Empty } from "../../design/Empty";
import { Failure } from "../../design/Failure";
import look from "../../design/look.module.css";
import { Lost } from "../../staff/Lost";
import { useLive } from "../../staff/live";
import { useSignedOut, useStudy } from "../useStudy";
import { ProgressCard } from "./ProgressCard";
import { TrialCard } from "./TrialCard";

const MAKING_POLL_MS = 1_000;
const POLL_MS = 10_000;

export function Recordings() {
  const { study, onSignedOut } = useStudy();
  const { slug } = study;
  const ask = useCallback(
    () =>
      answered(
        api.GET("/api/researcher/studies/{slug}/recordings", {
          params: { path: { slug } },
          signal: patience(),
        }),
      ),
    [slug],
  );
  const live = useLive(ask, (recordings) =>
    recordings && recordings.counts.under_way > 0 ? MAKING_POLL_MS : POLL_MS,
  );
  useSignedOut(live, onSignedOut);
  if (!live.data)
    return (
      <div role="status">
        {live.lost && <Lost />}
        {live.problem && <Failure title={live.problem.message} />}
        {!live.problem && <Empty>The recordings are being looked up.</Empty>}
      </div>
    );
  return (
    <>
      {live.lost && <Lost />}
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
