// Start, pause, and the mark of a moment.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { type FormEvent, type ReactNode, type RefObject, useId, useState } from "react";
import type { DemoEvent, DemoState } from "../../api/generated";
import { Button } from "../../design/Button";
import { Card } from "../../design/Card";
import { Input } from "../../design/Field";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";
import type { Asking } from "./asking";
import styles from "./Running.module.css";
import type { Wish } from "./undoing";
import { time } from "./wording";

interface RunningProps extends Asking {
  readonly event: DemoEvent | null;
  readonly wordField: RefObject<HTMLInputElement | null>;
  /** Whether this page sounds. */
  readonly sound: ReactNode;
}

export function Running(props: RunningProps) {
  const { state, onItsWay, event, disabled, wordField, onWish, sound } = props;
  const [word, setWord] = useState("");
  const field = useId();
  const next = nextOf(state);
  const waits = next !== null && onItsWay.some((wish) => wish.do === next.wish.do);
  const mark = (submitted: FormEvent) => {
    submitted.preventDefault();
    if (onWish({ do: "mark", text: word.trim() })) setWord("");
  };
  return (
    <Card className={styles.running} aria-label="Run">
      <Row className={styles.runButtons}>
        <Button
          slim
          quiet={state.stage === "running"}
          disabled={disabled || next === null || waits}
          aria-keyshortcuts="Space"
          onClick={() => next && onWish(next.wish)}
        >
          {waits ? "One moment…" : (next?.title ?? "One moment…")} <kbd>Space</kbd>
        </Button>
        {sound}
      </Row>
      <form onSubmit={mark}>
        <label htmlFor={field} className={look.spoken}>
          A word for this moment
        </label>
        <Input
          id={field}
          ref={wordField}
          slim
          placeholder="A word for this moment"
          maxLength={200}
          value={word}
          onChange={(changed) => setWord(changed.target.value)}
        />
        <Button quiet slim type="submit" disabled={disabled} aria-keyshortcuts="m">
          Mark <kbd>M</kbd>
        </Button>
      </form>
      <p
        className={clsx(styles.eventLine, look.note)}
        role="log"
        aria-live="polite"
        title={event?.text}
      >
        {state.on_its_way.length > 0 && (
          <span className={look.waiting}>On its way: {state.on_its_way.join(", ")}. </span>
        )}
        {event && `${time(event.at_ms)} ${event.text}`}
        {event?.kernel_ms != null && ` (in the kernel after ${event.kernel_ms.toFixed(0)} ms)`}
      </p>
    </Card>
  );
}

interface Next {
  readonly title: string;
  readonly wish: Wish;
}

/** What the one big button does now; null while the lanes are being opened. */
export function nextOf({ stage }: DemoState): Next | null {
  switch (stage) {
    case "stopped":
      return { title: "Start", wish: { do: "start" } };
    case "running":
      return { title: "Pause", wish: { do: "pause" } };
    case "paused":
      return { title: "Go on", wish: { do: "resume" } };
    case "opening":
    case "ended":
      return null;
  }
}
