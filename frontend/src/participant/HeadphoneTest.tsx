// Whether the listener hears through headphones: rounds of three noises, at most
// two tries, and a way on where it is not needed.
// SPDX-License-Identifier: Apache-2.0
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { HeadphoneTest as Outcome } from "../api/generated";
import { Button, Notice, Sheet } from "../design/elements";
import { playNoises } from "../headphones/noises";
import {
  answer,
  begin,
  correct,
  isEnough,
  isOver,
  MOST_TRIES,
  NOISES,
  ROUNDS,
  type Screening,
} from "../headphones/screening";
import { useSay } from "../language/Speaking";
import { output, startOutput } from "../player/output";

interface HeadphoneTestProps {
  /** Who does not pass cannot take part. */
  readonly needed: boolean;
  readonly triesBefore: number;
  readonly onTried: (outcome: Outcome) => void;
  /** Null when the test was not done. */
  readonly onDone: (outcome: Outcome | null) => Promise<void>;
}

type Stage = "before" | "rounds" | "again" | "none";

export function HeadphoneTest({ needed, triesBefore, onTried, onDone }: HeadphoneTestProps) {
  const say = useSay();
  const [stage, setStage] = useState<Stage>("before");
  const [tries, setTries] = useState(triesBefore + 1);
  const over = async (screening: Screening) => {
    const outcome = { correct: correct(screening), of: ROUNDS, tries };
    if (isEnough(screening) || tries >= MOST_TRIES) return onDone(outcome);
    onTried(outcome);
    setTries(tries + 1);
    setStage("again");
  };
  if (stage === "rounds") return <Rounds onOver={over} />;
  const none = async () => (needed ? setStage("none") : onDone(null));
  if (stage === "none") {
    return (
      <Sheet title={say("headphones.failed.title")}>
        <div className="card">
          <p>{say("headphones.later")}</p>
          <div className="row">
            <Button onClick={() => setStage("before")}>{say("headphones.found")}</Button>
          </div>
        </div>
      </Sheet>
    );
  }
  const again = stage === "again";
  return (
    <Sheet title={say(again ? "headphones.again.title" : "headphones.title")}>
      <p className="lead">
        {say(
          again
            ? "headphones.again.text"
            : needed
              ? "headphones.why.required"
              : "headphones.why.asked",
        )}
      </p>
      <div className="card">
        <p>{say("headphones.how", { rounds: ROUNDS })}</p>
        <div className="row">
          <Button onClick={() => setStage("rounds")}>
            {say(again ? "headphones.again" : "headphones.begin")}
          </Button>
          <Button quiet onClick={() => void none()}>
            {say("headphones.none")}
          </Button>
        </div>
      </div>
    </Sheet>
  );
}

function Rounds({ onOver }: { readonly onOver: (screening: Screening) => Promise<void> }) {
  const say = useSay();
  const [screening, setScreening] = useState(() => begin(Math.random));
  const [chosen, setChosen] = useState<number | null>(null);
  const [leaving, setLeaving] = useState(false);
  const round = screening.answers.length;
  const noises = useNoises(screening.tones[round] ?? 0, round);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (chosen === null || leaving) return;
    const next = answer(screening, chosen);
    if (isOver(next)) {
      setLeaving(true);
      return onOver(next);
    }
    setChosen(null);
    setScreening(next);
  };
  return (
    <Sheet title={say("headphones.round", { round: round + 1, rounds: ROUNDS })}>
      <form className="card answer" onSubmit={(event) => void submit(event)}>
        <div className="row">
          <Button disabled={noises.now !== null} onClick={() => void noises.play()}>
            {say("headphones.play")}
          </Button>
          <span className="small soft" role="status">
            {noises.now !== null && say("headphones.playing", { number: noises.now + 1 })}
          </span>
        </div>
        {noises.blocked && (
          <div role="alert">
            <Notice tone="warn" title={say("player.blocked.title")}>
              <p>{say("player.blocked.text")}</p>
            </Notice>
          </div>
        )}
        <fieldset disabled={!noises.heard}>
          <legend>{say("headphones.which")}</legend>
          <div className="choices beside">
            {Array.from({ length: NOISES }, (_, noise) => noise).map((noise) => (
              <label key={noise} className={noises.now === noise ? "choice sounding" : "choice"}>
                <input
                  type="radio"
                  name="noise"
                  checked={chosen === noise}
                  onChange={() => setChosen(noise)}
                />
                <span>{say("headphones.option", { number: noise + 1 })}</span>
              </label>
            ))}
          </div>
        </fieldset>
        <div className="row">
          <Button type="submit" disabled={chosen === null || leaving}>
            {say("headphones.confirm")}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

function useNoises(withTone: number, round: number) {
  const [now, setNow] = useState<number | null>(null);
  const [heard, setHeard] = useState(false);
  const [blocked, setBlocked] = useState(false);
  const playing = useRef<AbortController | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round is to be heard before its answer
  useEffect(() => {
    setHeard(false);
    setNow(null);
    return () => playing.current?.abort();
  }, [round]);
  const play = async () => {
    const started = await startOutput();
    setBlocked(!started);
    if (!started) return;
    const mine = new AbortController();
    playing.current = mine;
    await playNoises(output(), withTone, setNow, mine.signal);
    if (mine.signal.aborted) return;
    setNow(null);
    setHeard(true);
  };
  return { now, heard, blocked, play };
}
