// Whether the listener hears through headphones: rounds of three noises, at most
// two tries, and a way on where it is not needed.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";
import type { HeadphoneAnswers, HeadphoneTry, Participation } from "../api/generated";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { ROUNDS, SOUNDS } from "../headphones/screening";
import { useSay } from "../language/Speaking";
import type { Draft } from "./draft";
import { applyLevel, readLevel } from "./level";
import { fetchHeadphoneRound } from "./recordings";
import { SoundRounds } from "./SoundRounds";
import { beginHeadphoneTest } from "./server";

interface HeadphoneTestProps {
  readonly signal: Participation["headphone_signal"];
  readonly draft: Draft<"sound">;
  /** Who does not pass cannot take part. */
  readonly needed: boolean;
  readonly participant_token: string;
  /** A try, to be judged; whether the test is settled by it. */
  readonly onTried: (answers: HeadphoneAnswers) => Promise<boolean>;
  /** Settled, or left out. */
  readonly onDone: () => Promise<void>;
}

type Stage = "before" | "rounds" | "again" | "none";

export function HeadphoneTest({
  signal,
  needed,
  participant_token,
  draft,
  onTried,
  onDone,
}: HeadphoneTestProps) {
  const say = useSay();
  const [stage, setStage] = useState<Stage>(() => (draft.read().again ? "again" : "before"));
  const [trying, setTrying] = useState<HeadphoneTry | null>(null);
  const [beginning, setBeginning] = useState(false);
  const begin = async () => {
    setBeginning(true);
    const begun = await beginHeadphoneTest(participant_token);
    setBeginning(false);
    // On another device it was settled meanwhile.
    if (!begun) return onDone();
    const { number } = begun;
    draft.write({ rounds: { number, answers: answersOf(begun, draft) } });
    setTrying(begun);
    setStage("rounds");
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after the page was loaded again
  useEffect(() => {
    applyLevel(readLevel());
    if (draft.read().rounds) void begin();
  }, []);
  const over = async (answers: readonly number[]) => {
    if (!trying) return;
    if (await onTried({ number: trying.number, answers: [...answers] })) return onDone();
    draft.write({ rounds: null, again: true });
    setStage("again");
  };
  const none = async () => {
    draft.write({ rounds: null });
    return needed ? setStage("none") : onDone();
  };
  if (stage === "rounds" && trying) {
    return (
      <SoundRounds
        rounds={ROUNDS}
        sounds={SOUNDS}
        words={{
          play: say(`headphones.play.${signal}`),
          which: say(`headphones.which.${signal}`),
          playing: (number) => say(`headphones.playing.${signal}`, { number }),
          option: (number) => say(`headphones.option.${signal}`, { number }),
          without: say(`headphones.without.${needed ? "required" : "asked"}`),
        }}
        before={answersOf(trying, draft)}
        onAnswers={(answers) => draft.write({ rounds: { number: trying.number, answers } })}
        fetchRound={(round, signal) =>
          fetchHeadphoneRound(trying.number, round + 1, participant_token, signal)
        }
        onOver={over}
        onLeave={() => void none()}
      />
    );
  }
  if (stage === "none") {
    return (
      <Sheet title={say("headphones.failed.title")}>
        <Card as="div">
          <p>{say("headphones.without.required")}</p>
          <p>{say("headphones.later")}</p>
          <Row>
            <Button onClick={() => setStage("before")}>{say("headphones.found")}</Button>
          </Row>
        </Card>
      </Sheet>
    );
  }
  const again = stage === "again";
  return (
    <Sheet title={say(again ? "headphones.again.title" : "headphones.title")}>
      <p className={look.lead}>
        {say(
          again
            ? "headphones.again.text"
            : needed
              ? "headphones.why.required"
              : "headphones.why.asked",
        )}
      </p>
      <Card as="div">
        <p>{say(`headphones.how.${signal}`, { rounds: ROUNDS })}</p>
        <p className={look.note}>{say(`headphones.without.${needed ? "required" : "asked"}`)}</p>
        <Row>
          <Button disabled={beginning} onClick={() => void begin()}>
            {say(again ? "headphones.again" : "headphones.begin")}
          </Button>
          <Button quiet onClick={() => void none()}>
            {say("headphones.none")}
          </Button>
        </Row>
      </Card>
    </Sheet>
  );
}

/** Those of this try, where another is not under way. */
function answersOf({ number }: HeadphoneTry, draft: Draft<"sound">): readonly number[] {
  const { rounds } = draft.read();
  return rounds?.number === number ? rounds.answers : [];
}
