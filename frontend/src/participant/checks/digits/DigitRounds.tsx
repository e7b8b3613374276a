// Rounds of spoken digits in noise, typed or tapped. Each answer is sent before the next round can be
// heard, which depends on it; whether it was right is the server's to know.
// SPDX-License-Identifier: Apache-2.0
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../../../design/Button";
import { Card } from "../../../design/Card";
import { Field, Input } from "../../../design/Field";
import look from "../../../design/look.module.css";
import { Row } from "../../../design/Row";
import { Sheet } from "../../../design/Sheet";
import { playWhole } from "../../../headphones/sounds";
import { useSay } from "../../../language/Speaking";
import { output } from "../../../player/output";
import { Blocked } from "../../../player/parts";
import { fetchHearingRound } from "../../recordings";
import { answerHearingRound } from "../../server";
import { useRoundSound } from "../../useRoundSound";
import type { RoundsProps } from "../check";
import styles from "./DigitRounds.module.css";
import { Keypad } from "./Keypad";

export function DigitRounds(props: RoundsProps) {
  const { trying, participant_token, without, onOver, onLeave } = props;
  const { test, number, rounds, sounds: digits } = trying;
  const say = useSay();
  const [round, setRound] = useState(trying.answered + 1);
  const [typed, setTyped] = useState("");
  const [sending, setSending] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const { isHere, now, heard, blocked, play } = useRoundSound(
    (index, signal) => fetchHearingRound(test, number, index, participant_token, signal),
    round,
    async (sound, onSound, signal) => {
      onSound(0);
      await playWhole(output(), sound, signal);
    },
    () => void onOver(),
  );
  // What is typed next is what was heard.
  useEffect(() => {
    if (heard) field.current?.focus();
  }, [heard]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (typed.length !== digits || sending || !heard) return;
    setSending(true);
    const told = await answerHearingRound(participant_token, {
      test,
      number,
      round,
      answer: typed,
    });
    if (!told || told.over) return onOver();
    setTyped("");
    setRound(told.answered + 1);
    setSending(false);
  };
  const type = (digit: string) => setTyped((so_far) => (so_far + digit).slice(0, digits));
  return (
    <Sheet title={say("headphones.round", { round, rounds })}>
      <Card as="form" onSubmit={(event) => void submit(event)}>
        <Row>
          {/* Once: whoever could hear them again would measure something else. */}
          <Button disabled={!isHere || now !== null || heard} onClick={() => void play()}>
            {say("hearing.digits.play")}
          </Button>
          {/* Said aloud by a screen reader, it would lie over the digits. */}
          {now !== null && (
            <span className={look.note} aria-hidden="true">
              {say("hearing.digits.playing")}
            </span>
          )}
          <span className={look.note} role="status">
            {heard && say("hearing.digits.heard")}
          </span>
        </Row>
        {blocked && <Blocked onStart={() => void play()} />}
        <Field label={say("hearing.digits.which")}>
          {(id) => (
            <Input
              ref={field}
              id={id}
              className={styles.typed}
              // The keypad below is the keyboard of a telephone.
              inputMode="none"
              autoComplete="off"
              disabled={!heard || sending}
              value={typed}
              onChange={({ target }) => setTyped(target.value.replace(/\D/g, "").slice(0, digits))}
            />
          )}
        </Field>
        <Keypad
          disabled={!heard || sending}
          onDigit={type}
          onDelete={() => setTyped((so_far) => so_far.slice(0, -1))}
        />
        <Row>
          <Button type="submit" disabled={!heard || typed.length !== digits || sending}>
            {say("headphones.confirm")}
          </Button>
          <Button quiet disabled={sending} onClick={onLeave}>
            {say("headphones.leave")}
          </Button>
        </Row>
        <p className={look.note}>{without}</p>
      </Card>
    </Sheet>
  );
}
