// A session that runs: the terminal, the task beside it, the time, the way out.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useEffect, useRef, useState } from "react";
import type { AnyTaskForm, RefusalCode, StageReason } from "../../../api/generated";
import { Button } from "../../../design/Button";
import { Card } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Progress } from "../../../design/Progress";
import { Row } from "../../../design/Row";
import { useSay } from "../../../language/Speaking";
import { clock } from "../../../player/parts";
import type { TypingSession } from "../../../terminal/session";
import { TerminalPane, useSession } from "../../../terminal/TerminalPane";
import { type TaskTime, timeLeft_ms } from "../../../terminal/taskTime";
import styles from "./Running.module.css";
import { Task } from "./Task";

interface RunningProps {
  readonly task: AnyTaskForm;
  readonly session: TypingSession;
  readonly onEnded: () => void;
  readonly onVoid: (reason: StageReason) => void;
  readonly onRefused: (code: RefusalCode) => void;
}

export function Running({ task, session, onEnded, onVoid, onRefused }: RunningProps) {
  const say = useSay();
  const heading = useRef<HTMLHeadingElement>(null);
  const view = useSession(session);
  const { at, reason } = view;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when the session is over
  useEffect(() => {
    if (at === "ended") onEnded();
    if (at === "void") onVoid((reason as StageReason | null) ?? "broken");
    if (at === "refused") onRefused(reason as RefusalCode);
  }, [at]);
  useEffect(() => {
    window.scrollTo(0, 0);
  }, []);
  const missing = Math.max(0, task.least_keys - view.keys);
  return (
    <div className={styles.typing}>
      <Card className={styles.task} aria-labelledby="task">
        <h2 id="task" ref={heading} tabIndex={-1}>
          {say("typing.task")}
        </h2>
        <Task task={task} rows={view.rows} keys={view.keys} />
      </Card>
      <div className={styles.terminal}>
        <TerminalPane session={session} onWayOut={() => heading.current?.focus()} />
      </div>
      <Card as="div" className={styles.ending}>
        <Row>
          <Button disabled={at !== "ready" || missing > 0} onClick={() => session.finish()}>
            {say("typing.done")}
          </Button>
          <span className={look.note}>
            {missing > 0 ? say("typing.done.least", { keys: missing }) : say("typing.done.open")}
          </span>
        </Row>
        <TimeLeft time={view.time} limit_s={task.limit_s} />
      </Card>
    </div>
  );
}

interface TimeLeftProps {
  /** Null before it begins. */
  readonly time: TaskTime | null;
  readonly limit_s: number;
}

/** A line that grows shorter, and a number for who wants one. Nothing blinks or hurries. */
function TimeLeft({ time, limit_s }: TimeLeftProps) {
  const say = useSay();
  const [now_ms, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!time?.passes) return;
    const timer = setInterval(() => setNow(performance.now()), 1_000);
    return () => clearInterval(timer);
  }, [time]);
  const left_s = time === null ? limit_s : timeLeft_ms(time, now_ms) / 1_000;
  return (
    <div className={clsx(styles.time, look.note)}>
      <span>{say("typing.left")}</span>
      <span role="timer">{clock(left_s)}</span>
      <Progress className={styles.left} share={left_s / limit_s} />
    </div>
  );
}
