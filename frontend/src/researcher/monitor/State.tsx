// Whether the study takes people and whether its votes can be seen, and what
// changes either.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../../design/Button";
import { TitledCard } from "../../design/Card";
import { Row } from "../../design/Row";
import { type StateChange, StateDialog } from "../StateDialog";
import { sentenceOf, sightOf } from "../StatusTag";
import { useStudy } from "../useStudy";

export function State() {
  const { study } = useStudy();
  const [asked, setAsked] = useState<StateChange | null>(null);
  const { closed, closed_by, votes_visible } = study.state;
  const at = `/studies/${encodeURIComponent(study.slug)}`;
  return (
    <TitledCard id="state" title="State">
      <p>{sentenceOf(study)}</p>
      {!closed && !study.ready && (
        <p>
          {study.recordings_ready} of {study.recordings_total} recordings are ready.{" "}
          <Link href={`${at}/recordings`}>Go to the recordings</Link>
        </p>
      )}
      {!closed && study.live_lab_problem && <p>{study.live_lab_problem}</p>}
      <p>
        {sightOf(study.state)}{" "}
        {votes_visible && <Link href={`${at}/results`}>See the results</Link>}
      </p>
      <Row>
        {!closed && (
          <Button quiet slim onClick={() => setAsked("close")}>
            Close the study
          </Button>
        )}
        {closed && closed_by !== "file" && (
          <Button quiet slim onClick={() => setAsked("reopen")}>
            Reopen the study
          </Button>
        )}
      </Row>
      {asked && <StateDialog change={asked} onClose={() => setAsked(null)} />}
    </TitledCard>
  );
}
