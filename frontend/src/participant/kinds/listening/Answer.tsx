// The answer to a trial that is heard: locked until enough was heard.
// SPDX-License-Identifier: Apache-2.0
import type { HeardTrial } from "../../../api/generated";
import { useSay } from "../../../language/Speaking";
import type { AnyInstrument } from "../../../player/keys";
import { mustHear } from "../../../player/listening";
import { useView } from "../../../player/parts";
import { AnswerForm } from "../../AnswerForm";
import type { Draft } from "../../draft";
import type { Option } from "../../options";

interface AnswerProps {
  readonly trial: HeardTrial;
  readonly instrument: AnyInstrument;
  readonly draft: Draft<"trial">;
  readonly onCast: (answer: Option["answer"]) => void;
}

export function Answer({ trial, instrument, draft, onCast }: AnswerProps) {
  const say = useSay();
  const open = useView<{ blocked: boolean; mayVote: boolean }>(instrument).mayVote;
  return (
    <AnswerForm
      trial={trial}
      open={open}
      gate={<Gate instrument={instrument} />}
      opened={say("gate.open")}
      keys
      compact
      before={draft.read().chosen}
      onChoose={(chosen) => draft.write({ chosen })}
      onCast={onCast}
    />
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
