// The answer to a trial: locked until both members were heard, then chosen,
// then sent; two steps, so that no slip of a finger is an answer.
// SPDX-License-Identifier: Apache-2.0
import { type FormEvent, useId, useState } from "react";
import type { Choice, OpenTrial } from "../api/generated";
import { Button } from "../design/elements";
import type { View } from "../player/instrument";
import { mustHear } from "../player/listening";

interface AnswerProps {
  readonly trial: OpenTrial;
  readonly view: View;
  readonly duration_s: number;
  readonly onCast: (choice: Choice) => void;
}

const CHOICES = ["first", "second", "no_difference"] as const;
const KEYS: Readonly<Record<Choice, string>> = { first: "f", second: "s", no_difference: "n" };

export function Answer({ trial, view, duration_s, onCast }: AnswerProps) {
  const [choice, setChoice] = useState<Choice | null>(null);
  const gate = useId();
  const open = view.mayVote;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (choice && open) onCast(choice);
  };
  return (
    <form className="card answer" onSubmit={submit}>
      <fieldset disabled={!open} aria-describedby={gate}>
        <legend>{trial.question}</legend>
        <div className="choices">
          {CHOICES.map((option) => (
            <label key={option} className="choice">
              <input
                type="radio"
                name="choice"
                value={option}
                data-key={KEYS[option]}
                checked={choice === option}
                onChange={() => setChoice(option)}
              />
              <span>{trial.answers[option]}</span>
              <span className="key" aria-hidden="true">
                {KEYS[option].toUpperCase()}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="row spread">
        <div id={gate} className="small soft">
          <Gate view={view} duration_s={duration_s} chosen={choice !== null} />
        </div>
        <Button type="submit" disabled={!open || choice === null}>
          Send answer
        </Button>
      </div>
    </form>
  );
}

interface GateProps {
  readonly view: View;
  readonly duration_s: number;
  readonly chosen: boolean;
}

function Gate({ view, duration_s, chosen }: GateProps) {
  const needed_s = Math.round(mustHear(duration_s));
  const { first, second } = view.listening.heard_s;
  return (
    <>
      <span role="status">
        {view.mayVote
          ? chosen
            ? "You can still change your choice."
            : "You can answer now, or listen on."
          : ""}
      </span>
      {!view.mayVote && (
        <span>
          Hear each for {needed_s} seconds to answer. So far: first{" "}
          {Math.min(needed_s, Math.floor(first))} s, second {Math.min(needed_s, Math.floor(second))}{" "}
          s.
        </span>
      )}
    </>
  );
}
