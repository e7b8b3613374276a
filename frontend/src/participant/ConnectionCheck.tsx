// Before a study in which one types: is there a keyboard, and is the network
// between here and the server good enough to feel a difference in.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { type ReactNode, useEffect, useState } from "react";
import type { Verdict } from "../api/generated";
import { Button } from "../design/Button";
import { Card } from "../design/Card";
import look from "../design/look.module.css";
import { Notice } from "../design/Notice";
import { Row } from "../design/Row";
import { Sheet } from "../design/Sheet";
import { Stack } from "../design/Stack";
import { useSay } from "../language/Speaking";
import { checkConnection } from "../terminal/check";
import { linkTo } from "./address";
import styles from "./ConnectionCheck.module.css";
import { OtherDevice } from "./OtherDevice";
import type { Checking } from "./steps";

interface ConnectionCheckProps extends Checking {
  /** `good`: this device is fit. Else the server may know better by now. */
  readonly onChecked: (good: boolean) => Promise<void>;
}

export function ConnectionCheck({ study, participant_token, onChecked }: ConnectionCheckProps) {
  const say = useSay();
  const [pressed, setPressed] = useState<ReadonlySet<string>>(new Set());
  // After the last try the server has come to an end of it.
  const { outcome, again } = useMeasuring(participant_token, () => void onChecked(false));
  const [leaving, setLeaving] = useState(false);
  const letters = [...say("check.word")];
  usePresses(letters, (letter) => setPressed((before) => new Set([...before, letter])));
  const hasKeyboard = letters.every((letter) => pressed.has(letter));
  const isGood = outcome !== null && outcome !== "lost" && outcome.good;
  const goOn = async () => {
    setLeaving(true);
    await onChecked(true);
    setLeaving(false);
  };
  return (
    <Sheet title={say("check.title")}>
      <p className={look.lead}>{say("check.lead")}</p>
      <Card as="div">
        <Part title={say("check.keyboard")} isGood={hasKeyboard}>
          {hasKeyboard ? (
            <p role="status">{say("check.keyboard.good")}</p>
          ) : (
            <>
              <p>{say("check.keyboard.ask")}</p>
              <p className={styles.caps}>
                {letters.map((letter) => (
                  <kbd key={letter} className={pressed.has(letter) ? styles.pressed : undefined}>
                    {letter.toUpperCase()}
                  </kbd>
                ))}
              </p>
              <OtherDevice
                link={linkTo(study.slug, "p", participant_token)}
                heading={say("check.keyboard.none")}
                text={say("check.keyboard.none.text")}
                open={!matchMedia("(any-pointer: fine)").matches}
              />
            </>
          )}
        </Part>
        <Part title={say("check.connection")} isGood={isGood}>
          <Connection outcome={outcome} onAgain={again} />
        </Part>
        <Row>
          <Button disabled={!hasKeyboard || !isGood || leaving} onClick={() => void goOn()}>
            {say("go.on")}
          </Button>
        </Row>
      </Card>
    </Sheet>
  );
}

interface PartProps {
  readonly title: string;
  readonly isGood: boolean;
  readonly children: ReactNode;
}

function Part({ title, isGood, children }: PartProps) {
  return (
    <Stack as="section" gap={3} className={clsx(styles.part, isGood && styles.good)}>
      <h2>{title}</h2>
      {children}
    </Stack>
  );
}

/** Null while it is measured. */
type Outcome = Verdict | "lost" | null;

function useMeasuring(
  participant_token: string,
  onPoor: () => void,
): { readonly outcome: Outcome; readonly again: () => void } {
  const [round, setRound] = useState(0);
  const [outcome, setOutcome] = useState<Outcome>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round measures once more
  useEffect(() => {
    const leaving = new AbortController();
    setOutcome(null);
    checkConnection(participant_token, leaving.signal).then(
      (verdict) => {
        if (leaving.signal.aborted) return;
        setOutcome(verdict);
        if (!verdict.good) onPoor();
      },
      () => !leaving.signal.aborted && setOutcome("lost"),
    );
    return () => leaving.abort();
  }, [participant_token, round]);
  return { outcome, again: () => setRound(round + 1) };
}

function Connection({
  outcome,
  onAgain,
}: {
  readonly outcome: Outcome;
  readonly onAgain: () => void;
}) {
  const say = useSay();
  if (outcome === null) {
    return (
      <p role="status" className={look.soft}>
        {say("check.connection.running")}
      </p>
    );
  }
  if (outcome !== "lost" && outcome.good) {
    return <p role="status">{say("check.connection.good", { rtt: whole(outcome.rtt_ms) })}</p>;
  }
  const told =
    outcome === "lost"
      ? say("check.connection.lost")
      : say("check.connection.poor", {
          rtt: whole(outcome.rtt_ms),
          jitter: whole(outcome.jitter_ms),
        });
  return (
    <Stack role="alert" gap={2}>
      <Notice tone="warn" title={told}>
        <p>{say("check.connection.advice")}</p>
      </Notice>
      <Row>
        <Button slim quiet onClick={onAgain}>
          {say("check.connection.again")}
        </Button>
      </Row>
    </Stack>
  );
}

/** A round trip of less than a millisecond is still one. */
const whole = (time_ms: number): number => Math.max(1, Math.round(time_ms));

/** Nothing on the page takes text, so no keyboard on the glass comes up for these. */
function usePresses(letters: readonly string[], onPress: (letter: string) => void): void {
  useEffect(() => {
    const press = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const letter = key.toLowerCase();
      if (!ctrlKey && !metaKey && !altKey && letters.includes(letter)) onPress(letter);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  });
}
