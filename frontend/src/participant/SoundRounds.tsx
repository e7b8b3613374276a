// Rounds of a test in which one of some sounds is the right one: played, answered, one after the
// other. Which one is right, and who passes, is the server's to say.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { type FormEvent, useState } from "react";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { playSounds } from "../headphones/sounds";
import { useSay } from "../language/Speaking";
import { output } from "../player/output";
import { Blocked } from "../player/parts";
import choices from "./choices.module.css";
import { useRoundSound } from "./useRoundSound";

/** What a round says. */
export interface RoundWords {
  readonly play: string;
  readonly which: string;
  readonly playing: (number: number) => string;
  readonly option: (number: number) => string;
  /** What follows from leaving. */
  readonly without: string;
}

interface SoundRoundsProps {
  readonly words: RoundWords;
  readonly rounds: number;
  /** In each round; one of them is the right one. */
  readonly sounds: number;
  /** The sound of a round, 0 and up. */
  readonly fetchRound: (round: number, signal: AbortSignal) => Promise<ArrayBuffer>;
  /** Given to this try before the page was loaded again. */
  readonly before: readonly number[];
  readonly onAnswers: (answers: readonly number[]) => void;
  readonly onOver: (answers: readonly number[]) => Promise<void>;
  /** In the middle, which is no try. */
  readonly onLeave: () => void;
}

export function SoundRounds({
  words,
  rounds,
  sounds,
  fetchRound,
  before,
  onAnswers,
  onOver,
  onLeave,
}: SoundRoundsProps) {
  const say = useSay();
  const [answers, setAnswers] = useState(before);
  const [chosen, setChosen] = useState<number | null>(null);
  const [leaving, setLeaving] = useState(false);
  const round = Math.min(answers.length, rounds - 1);
  const played = useRoundSound(fetchRound, round, (sound, onSound, signal) =>
    playSounds(output(), sound, sounds, onSound, signal),
  );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (chosen === null || leaving) return;
    const next = [...answers, chosen];
    if (next.length === rounds) {
      setLeaving(true);
      return onOver(next);
    }
    setChosen(null);
    setAnswers(next);
    onAnswers(next);
  };
  return (
    <Sheet title={say("headphones.round", { round: round + 1, rounds })}>
      <Card as="form" className={choices.answer} onSubmit={(event) => void submit(event)}>
        <Row>
          <Button
            disabled={!played.isHere || played.now !== null}
            onClick={() => void played.play()}
          >
            {words.play}
          </Button>
          <span className={look.note} role="status">
            {played.now !== null && words.playing(played.now + 1)}
          </span>
        </Row>
        {played.blocked && <Blocked onStart={() => void played.play()} />}
        <fieldset disabled={!played.heard}>
          <legend>{words.which}</legend>
          <div className={clsx(choices.choices, choices.beside)}>
            {Array.from({ length: sounds }, (_, index) => index).map((index) => (
              <label
                key={index}
                data-testid="choice"
                className={
                  played.now === index ? clsx(choices.choice, choices.sounding) : choices.choice
                }
              >
                <input
                  type="radio"
                  name="sound"
                  checked={chosen === index}
                  onChange={() => setChosen(index)}
                />
                <span>{words.option(index + 1)}</span>
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
        <p className={look.note}>{words.without}</p>
      </Card>
    </Sheet>
  );
}
