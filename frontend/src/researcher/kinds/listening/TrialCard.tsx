// One trial: its runs, and of the run chosen both members side by side.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import type { MemberRecording, RunRecordings, TrialRecordings } from "../../../api/generated";
import { Card } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Notice } from "../../../design/Notice";
import { Progress } from "../../../design/Progress";
import { Row } from "../../../design/Row";
import { Segments } from "../../../design/Segments";
import { Stack } from "../../../design/Stack";
import { Tag } from "../../../design/Tag";
import { Listening } from "./Listening";
import { Measurements } from "./Measurements";
import { nameOf } from "./naming";
import styles from "./TrialCard.module.css";

const KINDS: Readonly<Record<TrialRecordings["kind"], string>> = {
  pair: "Pair",
  control: "Control",
  single: "Single",
  gold: "Gold",
  trapping: "Trapping",
};

interface TrialCardProps {
  readonly trial: TrialRecordings;
  /** Whether it begins unfolded. */
  readonly open: boolean;
}

export function TrialCard({ trial, open: first }: TrialCardProps) {
  const [open, setOpen] = useState(first);
  const heading = `recordings-of-${trial.id}`;
  return (
    <Card className={styles.recorded} aria-labelledby={heading}>
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <h2 id={heading}>
            {trial.id} <span className={look.soft}>· {trial.clip_title}</span>
          </h2>
          <Row as="span" className={look.small}>
            {trial.training && <Tag>Training</Tag>}
            <Tag>{KINDS[trial.kind]}</Tag>
            <span className={look.soft}>{summary(trial)}</span>
          </Row>
        </summary>
        {open && <Runs trial={trial} />}
      </details>
    </Card>
  );
}

function summary({ runs }: TrialRecordings): string {
  const members = runs.flatMap((run) => run.members);
  const ready = members.filter(({ status }) => status === "ready").length;
  const made = ready === members.length ? "ready" : `${ready} of ${members.length} ready`;
  return runs.length > 1 ? `${runs.length} runs, ${made}` : made;
}

function Runs({ trial }: { readonly trial: TrialRecordings }) {
  const [chosen, setChosen] = useState("1");
  const run = trial.runs.find(({ run }) => String(run) === chosen) ?? trial.runs[0];
  if (!run) return null;
  const options = Object.fromEntries(trial.runs.map(({ run }) => [run, `Run ${run}`]));
  return (
    <Stack gap={6}>
      {trial.runs.length > 1 && (
        <Row>
          <Segments name="Run" options={options} chosen={chosen} onChoose={setChosen} />
          {trial.matched !== null && (
            <span className={look.note}>
              {trial.matched
                ? "Matched: both members of a run have one seed."
                : "Not matched: each member has a seed of its own."}
            </span>
          )}
        </Row>
      )}
      {trial.kind === "control" && (
        <p className={look.note}>
          One recording, presented as both members: whoever prefers one of them shows a bias.
        </p>
      )}
      <Run key={run.run} run={run} name={`${trial.id}, run ${run.run}`} />
      <p className={look.note}>{trial.clip_attribution}</p>
    </Stack>
  );
}

interface RunProps {
  readonly run: RunRecordings;
  readonly name: string;
}

function Run({ run, name }: RunProps) {
  const ready = run.members.filter(({ id }) => id !== null);
  return (
    <>
      {run.same_audio === true && (
        <Notice tone="warn" title="Both members are the same audio">
          <p>
            On this path the two conditions made no difference: there is nothing to prefer. Choose
            another seed, a lossier path or another condition.
          </p>
        </Notice>
      )}
      <Unready members={run.members} />
      {ready.length > 0 && <Listening members={ready} />}
      <Measurements name={name} members={run.members} />
    </>
  );
}

function Unready({ members }: { readonly members: readonly MemberRecording[] }) {
  return members
    .filter(({ status }) => status !== "ready")
    .map((member) => {
      const name = nameOf(member);
      if (member.status === "failed")
        return (
          <Notice key={member.member} tone="bad" title={`The recording “${name}” failed`}>
            <p>{member.problem}</p>
            <p>{member.remedy}</p>
          </Notice>
        );
      return (
        <Stack key={member.member} gap={2}>
          <p className={look.note}>
            The recording “{name}” {STATES[member.status]}
          </p>
          {member.status !== "missing" && (
            <Progress label={`Recording ${name}`} share={member.progress_share} />
          )}
        </Stack>
      );
    });
}

const STATES: Readonly<Record<Exclude<MemberRecording["status"], "failed">, string>> = {
  missing: "has not been made yet.",
  queued: "waits for its turn.",
  making: "is being made.",
  ready: "is ready.",
};
