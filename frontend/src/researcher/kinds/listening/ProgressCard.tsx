// How many recordings there are, how long the others will take, what failed and
// why; and the button that has them made.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import { answered, api, Problem } from "../../../api/client";
import type { StudyRecordings } from "../../../api/generated";
import { Button } from "../../../design/Button";
import { Card } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Notice } from "../../../design/Notice";
import { Progress } from "../../../design/Progress";
import { Row } from "../../../design/Row";
import { ofStudy } from "../../useStudy";
import { failuresOf, headline, timeLeft } from "./progress";

interface ProgressProps {
  readonly recordings: StudyRecordings;
  readonly onAsked: () => void;
}

export function ProgressCard({ recordings, onAsked }: ProgressProps) {
  const { counts, progress_share, time_left_s } = recordings;
  const [refused, setRefused] = useState("");
  const [asking, setAsking] = useState(false);
  const record = async () => {
    setAsking(true);
    setRefused("");
    try {
      await answered(api.POST("/api/researcher/studies/{slug}/record", ofStudy(recordings.slug)));
    } catch (error) {
      const said = error instanceof Problem ? error.message : "The server cannot be reached.";
      setRefused(`${said} Press Record again.`);
    }
    setAsking(false);
    onAsked();
  };
  const missing = counts.total - counts.ready - counts.under_way;
  return (
    <Card aria-label="Progress">
      <p role="status">{headline(counts)}</p>
      {counts.ready < counts.total && <Progress label="Recordings made" share={progress_share} />}
      {counts.under_way > 0 && (
        // Not in the status: it changes every second, and nobody wants it read out.
        <p className={look.note}>{timeLeft(time_left_s)}</p>
      )}
      {counts.under_way === 0 && recordings.predictions_missing > 0 && (
        <p className={look.note}>
          The quality of {recordings.predictions_missing} recordings is still being predicted; they
          can be heard meanwhile.
        </p>
      )}
      {missing > 0 && (
        <Row>
          <Button disabled={asking} onClick={() => void record()}>
            Record {missing === counts.total ? `all ${missing}` : missing}{" "}
            {missing === 1 ? "recording" : "recordings"}
          </Button>
          <span className={look.note}>
            Each is a session over an emulated path, with both captures kept.
          </span>
        </Row>
      )}
      {refused && (
        <div role="alert">
          <Notice tone="bad">
            <p>{refused}</p>
          </Notice>
        </div>
      )}
      {failuresOf(recordings).map(({ problem, remedy, where }) => (
        <Notice key={problem} tone="bad" title={`Failed: ${where.join(", ")}`}>
          <p>{problem}</p>
          <p>{remedy}</p>
        </Notice>
      ))}
    </Card>
  );
}
