// The pages between trials: what a block is about, and a rest.
// SPDX-License-Identifier: Apache-2.0
import type { OpenTrial } from "../api/generated";
import { Button, Sheet } from "../design/elements";
import { useSay } from "../language/Speaking";
import { Prose } from "./Prose";
import { Steps } from "./Steps";

interface InterludeProps {
  readonly trial: OpenTrial;
  readonly onGoOn: () => void;
}

export function Introduction({ trial, onGoOn }: InterludeProps) {
  const say = useSay();
  return (
    <Sheet title={say(trial.training ? "introduction.training" : "introduction.title")}>
      <div className="card">
        <Prose text={trial.introduction ?? ""} />
        {trial.training && <p className="badge small">{say("trial.training")}</p>}
        <div className="row">
          <Button onClick={onGoOn}>{say("introduction.begin")}</Button>
        </div>
      </div>
    </Sheet>
  );
}

export function Rest({ trial, onGoOn }: InterludeProps) {
  const say = useSay();
  const { position, trials_total: total } = trial;
  return (
    <Sheet title={say("rest.title")} above={<Steps position={position} total={total} />}>
      <div className="card">
        <p className="lead">{say("rest.text", { done: position - 1, total })}</p>
        <p>{say(trial.medium === "typed" ? "rest.advice.typing" : "rest.advice")}</p>
        <div className="row">
          <Button onClick={onGoOn}>{say("go.on")}</Button>
        </div>
      </div>
    </Sheet>
  );
}
