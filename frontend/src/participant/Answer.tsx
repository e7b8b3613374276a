// The answer to a trial: locked until enough was heard, then chosen, then sent;
// two steps, so that no slip of a finger is an answer.
// SPDX-License-Identifier: Apache-2.0
import { type FormEvent, useId, useState } from "react";
import type { OpenTrial } from "../api/generated";
import { Button } from "../design/elements";
import { useSay } from "../language/Speaking";
import type { AnyInstrument } from "../player/keys";
import { mustHear } from "../player/listening";
import { useView } from "../player/parts";
import { type Option, optionsOf } from "./options";

interface AnswerProps {
  readonly trial: OpenTrial;
  readonly instrument: AnyInstrument;
  readonly onCast: (answer: Option["answer"]) => void;
}

export function Answer({ trial, instrument, onCast }: AnswerProps) {
  const say = useSay();
  const [chosen, setChosen] = useState<Option | null>(null);
  const gate = useId();
  const open = useView<{ blocked: boolean; mayVote: boolean }>(instrument).mayVote;
  const { scale } = trial;
  const options = optionsOf(trial, say);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (chosen && open) onCast(chosen.answer);
  };
  return (
    <form className="card answer" onSubmit={submit}>
      <fieldset disabled={!open} aria-describedby={gate}>
        <legend>{scale.question}</legend>
        <div className={options.length === 2 ? "choices beside" : "choices"}>
          {options.map((option) => (
            <label key={option.key} className="choice">
              <input
                type="radio"
                name="choice"
                data-key={option.key.toLowerCase()}
                checked={chosen?.key === option.key}
                onChange={() => setChosen(option)}
              />
              <span>{option.label}</span>
              <span className="key" aria-hidden="true">
                {option.key}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div className="row spread">
        <div id={gate} className="small soft">
          <span role="status">{open && say(chosen ? "gate.chosen" : "gate.open")}</span>
          {!open && <Gate instrument={instrument} />}
        </div>
        <Button type="submit" disabled={!open || chosen === null}>
          {say("answer.send")}
        </Button>
      </div>
    </form>
  );
}

/** What is still to be heard. No live region: it changes every second. */
function Gate({ instrument }: { readonly instrument: AnyInstrument }) {
  const say = useSay();
  const alone = instrument.members.length === 1;
  if (instrument.kind === "in_turn") {
    return <span>{say(alone ? "gate.in_turn.one" : "gate.in_turn")}</span>;
  }
  const { heard_s } = instrument.view().listening;
  const needed = Math.round(mustHear(instrument.duration_s));
  const [first, second] = [heard_s.first, heard_s.second].map((heard) =>
    Math.min(needed, Math.floor(heard)),
  ) as [number, number];
  return (
    <span>
      {alone
        ? say("gate.free.one", { needed, first })
        : say("gate.free", { needed, first, second })}
    </span>
  );
}
