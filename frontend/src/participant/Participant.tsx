// The participant's page: consent, sound check, questions, trials, thanks.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { Suspense, useMemo } from "react";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Sheet } from "../design/Sheet";
import { negotiate } from "../language/negotiate";
import { Speaking, useSay } from "../language/Speaking";
import { languages, wishes } from "../language/words";
import { ConnectionBanner } from "./ConnectionBanner";
import { ConnectionCheck } from "./ConnectionCheck";
import { Consent } from "./Consent";
import { HearingTest } from "./checks/HearingTest";
import { useConnection } from "./connection";
import { Ended } from "./Ended";
import { Foot } from "./Foot";
import type { Flow } from "./flow";
import { Introduction, Rest } from "./Interlude";
import { kindOf } from "./kinds/registry";
import styles from "./Participant.module.css";
import { Questions } from "./Questions";
import { SoundCheck } from "./SoundCheck";
import { Stopped } from "./Stopped";
import type { AtTrial, Step } from "./steps";
import { Thanks } from "./Thanks";
import { useFlow } from "./useFlow";
import { Withdraw, Withdrawn } from "./Withdraw";

export default function Participant() {
  const { step, flow } = useFlow();
  const wished = useMemo(() => negotiate(wishes(), languages), []);
  const study = "study" in step ? step.study : null;
  const trial = "trial" in step ? step.trial : null;
  return (
    <Speaking language={study?.language ?? wished}>
      <Preview />
      {flow ? <Now step={step} flow={flow} /> : <Loading />}
      {"participant_token" in step && step.participant_token && step.at !== "thanks" && (
        <Foot
          key={step.at}
          study={step.study}
          participant_token={step.participant_token}
          withdraw_token={step.withdraw_token ?? step.participant_token}
        />
      )}
      <ConnectionBanner isMoreHere={() => trial !== null && flow?.isMoreHere(trial) === true} />
    </Speaking>
  );
}

function Preview() {
  const say = useSay();
  const preview = new URLSearchParams(location.search).has("preview");
  return preview && <p className={clsx(styles.preview, look.small)}>{say("preview")}</p>;
}

function Now({ step, flow }: { readonly step: Step; readonly flow: Flow }) {
  switch (step.at) {
    case "loading":
      return <Loading />;
    case "consent":
      return (
        <Consent
          study={step.study}
          changed={step.changed ?? false}
          onLanguage={(language) => void flow.speak(language)}
          onAgree={flow.agree}
          onDecline={flow.decline}
        />
      );
    case "sound":
      return <SoundCheck {...step} onTried={flow.headphonesTried} onDone={flow.soundChecked} />;
    case "hearing":
      return (
        <HearingTest
          participant_token={step.participant_token}
          onTried={flow.hearingTried}
          onAskAgain={flow.askAgain}
        />
      );
    case "questions":
      return <Questions key={step.when} {...step} onAnswer={flow.answer} />;
    case "introduction":
      return <Introduction trial={step.trial} onGoOn={() => flow.pass("introduction", step)} />;
    case "rest":
      return <Rest trial={step.trial} onGoOn={() => flow.pass("rest", step)} />;
    case "connection":
      return <ConnectionCheck {...step} onChecked={flow.connectionChecked} />;
    case "trial":
      return <TrialPage step={step} flow={flow} />;
    case "sending":
      return <Sending />;
    case "thanks":
      return <Thanks {...step} />;
    case "ended":
      return <Ended {...step} />;
    case "withdraw":
      return <Withdraw study={step.study} onWithdraw={() => flow.withdraw(step)} />;
    case "withdrawn":
      return <Withdrawn study={step.study} />;
    default:
      return <Stopped step={step} flow={flow} />;
  }
}

function TrialPage({ step, flow }: { readonly step: AtTrial; readonly flow: Flow }) {
  const { trial, participant_token } = step;
  const { Page } = kindOf(trial);
  return (
    <Suspense fallback={<Loading />}>
      <Page
        key={trial.trial_token}
        trial={trial}
        participant_token={participant_token}
        files={flow.files}
        onVote={(vote) => void flow.vote(step, vote)}
        onGone={() => void flow.begin()}
        onAskAgain={() => void flow.askAgain()}
      />
    </Suspense>
  );
}

function Loading() {
  const say = useSay();
  return (
    <Sheet title={say("loading.title")}>
      <p className={look.soft} role="status">
        {say("loading.text")}
      </p>
    </Sheet>
  );
}

function Sending() {
  const say = useSay();
  const what = useConnection() === "lost" ? "waiting" : "sending";
  return (
    <Sheet title={say(`${what}.title`)}>
      <Card as="div">
        <p role="status">{say(`${what}.text`)}</p>
      </Card>
    </Sheet>
  );
}
