// The pages between trials: what a block is about, and a rest.
// SPDX-License-Identifier: Apache-2.0

import type { OpenTrial } from "../api/generated";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { Tag } from "../design/Tag";
import { useSay } from "../language/Speaking";
import { wordsOf } from "./kinds/words";
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
      <Card as="div">
        <Prose text={trial.introduction ?? ""} />
        {trial.training && (
          <p>
            <Tag>{say("trial.training")}</Tag>
          </p>
        )}
        <Row>
          <Button onClick={onGoOn}>{say("introduction.begin")}</Button>
        </Row>
      </Card>
    </Sheet>
  );
}

export function Rest({ trial, onGoOn }: InterludeProps) {
  const say = useSay();
  const { position, trials_total: total } = trial;
  return (
    <Sheet title={say("rest.title")} above={<Steps position={position} total={total} />}>
      <Card as="div">
        <p className={look.lead}>{say("rest.text", { done: position - 1, total })}</p>
        <p>{say(wordsOf(trial.medium).restAdvice)}</p>
        <Row>
          <Button onClick={onGoOn}>{say("go.on")}</Button>
        </Row>
      </Card>
    </Sheet>
  );
}
