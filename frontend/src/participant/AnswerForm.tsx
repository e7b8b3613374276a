// The answer to a trial: chosen, then sent; two steps, so that no slip of a
// finger is an answer. Who prefers one may be asked how noticeable it was.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { type FormEvent, type ReactNode, useId, useState } from "react";
import type { OpenTrial } from "../api/generated";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Row } from "../design/Row";
import { useSay } from "../language/Speaking";
import choices from "./choices.module.css";
import type { Chosen } from "./draft";
import { type Option, optionsOf } from "./options";

interface AnswerFormProps {
  readonly trial: Pick<OpenTrial, "scale">;
  /** Whether one may answer yet. */
  readonly open: boolean;
  /** What is still to be done before. */
  readonly gate?: ReactNode;
  /** That it is open, where it was not from the beginning. */
  readonly opened?: string;
  /** Whether single keys choose, which each answer then shows. */
  readonly keys: boolean;
  /** Small enough to stand beside what is heard, where there is room. */
  readonly compact?: boolean;
  /** What was chosen before the page was loaded again. */
  readonly before?: Chosen | undefined;
  readonly onChoose: (chosen: Chosen) => void;
  readonly onCast: (answer: Option["answer"]) => void;
}

export function AnswerForm({ trial, open, gate, opened, keys, ...rest }: AnswerFormProps) {
  const say = useSay();
  const { compact = false, before, onChoose, onCast } = rest;
  const [{ place, noticeable }, setChosen] = useState(before ?? NOTHING);
  const gateId = useId();
  const { scale } = trial;
  const options = optionsOf(trial, say);
  const chosen = options[place] ?? null;
  const choose = (next: Chosen) => {
    setChosen(next);
    onChoose(next);
  };
  const asked =
    scale.kind === "preference" && chosen && isForOne(chosen.answer) ? scale.noticeable : null;
  const isWhole = chosen !== null && (!asked || noticeable !== null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!open || !isWhole || !chosen) return;
    onCast(asked ? { ...chosen.answer, noticeable } : chosen.answer);
  };
  return (
    <Card
      as="form"
      className={compact ? clsx(choices.answer, choices.compact) : choices.answer}
      onSubmit={submit}
    >
      <fieldset disabled={!open} aria-describedby={gateId}>
        <legend>{scale.question}</legend>
        <div
          className={options.length === 2 ? clsx(choices.choices, choices.beside) : choices.choices}
        >
          {options.map((option, index) => (
            <label key={option.key} className={choices.choice} data-testid="choice">
              <input
                type="radio"
                name="choice"
                {...(keys && { "data-key": option.key.toLowerCase() })}
                checked={index === place}
                onChange={() => choose({ place: index, noticeable })}
              />
              <span>{option.label}</span>
              {keys && (
                <span aria-hidden="true">
                  <kbd>{option.key}</kbd>
                </span>
              )}
            </label>
          ))}
        </div>
      </fieldset>
      {asked && (
        <fieldset className={choices.noticeable}>
          <legend>{asked.question}</legend>
          <div className={choices.choices}>
            {asked.labels.map(({ score, label }) => (
              <label key={score} className={choices.choice} data-testid="choice">
                <input
                  type="radio"
                  name="noticeable"
                  checked={noticeable === score}
                  onChange={() => choose({ place, noticeable: score })}
                />
                <span>{label}</span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <Row spread className={choices.send}>
        <div id={gateId} className={look.note}>
          <span role="status">{open && (chosen ? say("gate.chosen") : opened)}</span>
          {!open && gate}
        </div>
        <Button type="submit" disabled={!open || !isWhole}>
          {say("answer.send")}
        </Button>
      </Row>
    </Card>
  );
}

const NOTHING: Chosen = { place: -1, noticeable: null };

const isForOne = (answer: Option["answer"]): boolean =>
  "choice" in answer && (answer.choice === "first" || answer.choice === "second");
