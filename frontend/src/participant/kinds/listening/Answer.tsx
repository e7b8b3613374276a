// The answer to a trial that is heard: locked until enough was heard.
// SPDX-License-Identifier: Apache-2.0
import type { HeardTrial } from "../../../api/generated";
import { useSay } from "../../../language/Speaking";
import type { AnyInstrument } from "../../../player/keys";
import { counting_s, isHeard, needed_s } from "../../../player/listening";
import type { Member } from "../../../player/pair";
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
  const three = instrument.members.includes("x");
  if (instrument.kind === "in_turn") {
    const text = three ? "gate.in_turn.x" : alone ? "gate.in_turn.one" : "gate.in_turn";
    return <span>{say(text)}</span>;
  }
  const { must, duration_s } = instrument;
  const { listening } = instrument.view();
  const needed = Math.ceil(needed_s(must, duration_s));
  // Rounded down, but for who has heard enough: the last second may be a part of one.
  const heard = (member: Member) =>
    isHeard(must, listening, duration_s, member)
      ? needed
      : Math.min(needed - 1, Math.floor(counting_s(must, listening, member)));
  const [first, second, x] = [heard("first"), heard("second"), heard("x")];
  const length = Math.ceil(duration_s);
  if (three) {
    return (
      <span>
        {must === null
          ? say("gate.free.x", { needed, first, second, x })
          : say("gate.share.x", { needed, length, first, second, x })}
      </span>
    );
  }
  if (must === null) {
    return (
      <span>
        {alone
          ? say("gate.free.one", { needed, first })
          : say("gate.free", { needed, first, second })}
      </span>
    );
  }
  return (
    <span>
      {alone
        ? say("gate.share.one", { needed, length, first })
        : say("gate.share", { needed, length, first, second })}
    </span>
  );
}
