// The participant's page: consent, sound check, trials, thanks.
// SPDX-License-Identifier: Apache-2.0
import "./participant.css";
import { useMemo } from "react";
import { Button, Notice, Sheet } from "../design/elements";
import { ConnectionBanner } from "./ConnectionBanner";
import { Consent } from "./Consent";
import type { Flow, Step } from "./flow";
import { SoundCheck } from "./SoundCheck";
import { Thanks } from "./Thanks";
import { Trial } from "./Trial";
import { useFlow } from "./useFlow";

export default function Participant() {
  const { slug, preview } = useMemo(readAddress, []);
  const { step, flow } = useFlow(slug, preview);
  return (
    <>
      {preview && <p className="preview small">Preview: these answers do not count.</p>}
      {flow ? <Now step={step} flow={flow} /> : <Loading />}
      <ConnectionBanner answering={step.at === "sending"} />
    </>
  );
}

function readAddress() {
  const slug = decodeURIComponent(location.pathname.split("/")[2] ?? "");
  return { slug, preview: new URLSearchParams(location.search).has("preview") };
}

function Now({ step, flow }: { readonly step: Step; readonly flow: Flow }) {
  switch (step.at) {
    case "loading":
      return <Loading />;
    case "consent":
      return <Consent study={step.study} onAgree={flow.agree} />;
    case "sound":
      return <SoundCheck study={step.study} onHeard={flow.soundHeard} />;
    case "trial":
      return (
        <Trial
          key={step.trial.trial_token}
          trial={step.trial}
          participant_token={step.participant_token}
          onVote={(vote) => void flow.vote(step.trial, vote)}
          onGone={() => void flow.begin()}
        />
      );
    case "sending":
      return <Sending position={step.trial.position} total={step.trial.trials_total} />;
    case "thanks":
      return <Thanks study={step.study} code={step.code} />;
    default:
      return <Stopped step={step} flow={flow} />;
  }
}

function Loading() {
  return (
    <Sheet title="One moment" tab="Loading">
      <p className="soft" role="status">
        The study is being loaded.
      </p>
    </Sheet>
  );
}

function Sending({ position, total }: { readonly position: number; readonly total: number }) {
  return (
    <Sheet title={`Answer ${position} of ${total} is being sent`} tab="Sending">
      <p className="soft" role="status">
        Your answer is kept on this device until the server has it.
      </p>
    </Sheet>
  );
}

type End = Extract<Step, { at: "missing" | "closed" | "preparing" | "forgotten" | "failed" }>;

function Stopped({ step, flow }: { readonly step: End; readonly flow: Flow }) {
  switch (step.at) {
    case "missing":
      return (
        <Sheet title="There is no study at this address" tab="Not found">
          <p>Please check the address that you were given: a letter may be missing.</p>
        </Sheet>
      );
    case "closed":
      return (
        <Sheet title="This study is closed" tab="Closed">
          <p>“{step.study.title}” takes no more participants. Thank you for your interest.</p>
        </Sheet>
      );
    case "preparing":
      return (
        <Sheet title="This study is being prepared" tab="Not ready yet">
          <p role="status">
            The recordings are being made. This page goes on by itself as soon as they are ready.
          </p>
        </Sheet>
      );
    case "forgotten":
      return (
        <Sheet title="We do not know this participation any more" tab="Start again">
          <Notice tone="warn">
            <p>
              This browser took part before, but the study’s server does not know it: the study may
              have been set up anew. You can start from the beginning.
            </p>
          </Notice>
          <div className="row">
            <Button onClick={() => void flow.startOver()}>Start from the beginning</Button>
          </div>
        </Sheet>
      );
    case "failed":
      return (
        <Sheet title="This did not work" tab="Problem">
          <Notice tone="bad" title={step.problem.message}>
            {step.problem.remedy && <p>{step.problem.remedy}</p>}
          </Notice>
          <div className="row">
            <Button onClick={() => void flow.begin()}>Try again</Button>
          </div>
        </Sheet>
      );
  }
}
