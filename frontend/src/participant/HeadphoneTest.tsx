// Whether the listener hears through headphones: rounds of three noises, at most
// two tries, and a way on where it is not needed.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { type FormEvent, useEffect, useRef, useState } from "react";
import type { HeadphoneAnswers, HeadphoneTry } from "../api/generated";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { playNoises } from "../headphones/noises";
import { NOISES, ROUNDS } from "../headphones/screening";
import { useSay } from "../language/Speaking";
import { output, startOutput, whenHeld } from "../player/output";
import { Blocked } from "../player/parts";
import choices from "./choices.module.css";
import type { Draft } from "./draft";
import { applyLevel, readLevel } from "./level";
import { fetchHeadphoneRound } from "./recordings";
import { beginHeadphoneTest } from "./server";

interface HeadphoneTestProps {
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
      <Rounds
        needed={needed}
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
        <p>{say("headphones.how", { rounds: ROUNDS })}</p>
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

interface RoundsProps extends Pick<HeadphoneTestProps, "needed"> {
  /** The sound of a round, 0 and up. */
  readonly fetchRound: (round: number, signal: AbortSignal) => Promise<ArrayBuffer>;
  /** Given to this try before the page was loaded again. */
  readonly before: readonly number[];
  readonly onAnswers: (answers: readonly number[]) => void;
  readonly onOver: (answers: readonly number[]) => Promise<void>;
  /** In the middle, which is no try. */
  readonly onLeave: () => void;
}

function Rounds({ needed, fetchRound, before, onAnswers, onOver, onLeave }: RoundsProps) {
  const say = useSay();
  const [answers, setAnswers] = useState(before);
  const [chosen, setChosen] = useState<number | null>(null);
  const [leaving, setLeaving] = useState(false);
  const round = Math.min(answers.length, ROUNDS - 1);
  const noises = useNoises(fetchRound, round);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (chosen === null || leaving) return;
    const next = [...answers, chosen];
    if (next.length === ROUNDS) {
      setLeaving(true);
      return onOver(next);
    }
    setChosen(null);
    setAnswers(next);
    onAnswers(next);
  };
  return (
    <Sheet title={say("headphones.round", { round: round + 1, rounds: ROUNDS })}>
      <Card as="form" className={choices.answer} onSubmit={(event) => void submit(event)}>
        <Row>
          <Button
            disabled={!noises.isHere || noises.now !== null}
            onClick={() => void noises.play()}
          >
            {say("headphones.play")}
          </Button>
          <span className={look.note} role="status">
            {noises.now !== null && say("headphones.playing", { number: noises.now + 1 })}
          </span>
        </Row>
        {noises.blocked && <Blocked onStart={() => void noises.play()} />}
        <fieldset disabled={!noises.heard}>
          <legend>{say("headphones.which")}</legend>
          <div className={clsx(choices.choices, choices.beside)}>
            {Array.from({ length: NOISES }, (_, noise) => noise).map((noise) => (
              <label
                key={noise}
                data-testid="choice"
                className={
                  noises.now === noise ? clsx(choices.choice, choices.sounding) : choices.choice
                }
              >
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
        <Row>
          <Button type="submit" disabled={chosen === null || leaving}>
            {say("headphones.confirm")}
          </Button>
          <Button quiet disabled={leaving} onClick={onLeave}>
            {say("headphones.leave")}
          </Button>
        </Row>
        <p className={look.note}>{say(`headphones.without.${needed ? "required" : "asked"}`)}</p>
      </Card>
    </Sheet>
  );
}

function useNoises(fetchRound: RoundsProps["fetchRound"], round: number) {
  const [sound, setSound] = useState<AudioBuffer | null>(null);
  const [now, setNow] = useState<number | null>(null);
  const [heard, setHeard] = useState(false);
  const [blocked, setBlocked] = useState(false);
  const playing = useRef<AbortController | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each round is to be heard before its answer
  useEffect(() => {
    setHeard(false);
    setNow(null);
    setSound(null);
    const mine = new AbortController();
    fetchRound(round, mine.signal)
      .then((file) => output().context.decodeAudioData(file))
      .then((decoded) => {
        if (!mine.signal.aborted) setSound(decoded);
      })
      .catch((error: unknown) => {
        if (!mine.signal.aborted) throw error;
      });
    return () => {
      mine.abort();
      playing.current?.abort();
    };
  }, [round]);
  useEffect(() => (now === null ? undefined : whenHeld(setBlocked)), [now]);
  const play = async () => {
    const started = await startOutput();
    setBlocked(!started);
    // What a call has held back goes on where it was.
    if (!started || !sound || now !== null) return;
    const mine = new AbortController();
    playing.current = mine;
    await playNoises(output(), sound, setNow, mine.signal);
    if (mine.signal.aborted) return;
    setNow(null);
    setHeard(true);
  };
  return { isHere: sound !== null, now, heard, blocked, play };
}
