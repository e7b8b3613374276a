// Play, pause, seek, speed; and the events, to jump to.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useMemo } from "react";
import type { DemoEvent } from "../../api/generated";
import { Button } from "../../design/Button";
import { Card } from "../../design/Card";
import { Chip } from "../../design/Chip";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";
import { SpeedChoice } from "../../staff/SpeedChoice";
import { time } from "../console/wording";
import type { ReplayFeed } from "../feed/replay";
import styles from "./Controls.module.css";

const STEP_MS = 100;
/** What is seen of what comes before an event when one jumps to it. */
const BEFORE_EVENT_MS = 2_000;

interface ControlsProps {
  readonly feed: ReplayFeed;
  readonly at_ms: number;
  readonly whole: boolean;
}

export function Controls({ feed, at_ms, whole }: ControlsProps) {
  const { start_ms, end_ms, playing, speed } = feed;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves as more is read
  const events = useMemo(() => feed.events() as readonly DemoEvent[], [feed, end_ms]);
  const now = events.findLast((event) => event.at_ms <= at_ms);
  return (
    <Card className={styles.controls} aria-label="Replay">
      <Row>
        <Button slim onClick={() => (playing ? feed.pause() : feed.play())}>
          {playing ? "Pause" : "Play"}
        </Button>
        <span className={look.digits}>
          {time(at_ms)} <span className={look.soft}>of {time(end_ms)}</span>
        </span>
        {!whole && <span className={look.note}>More is being loaded…</span>}
        <SpeedChoice speed={speed} onChoose={(chosen) => feed.setSpeed(chosen)} />
      </Row>
      <input
        type="range"
        aria-label="Moment of the demo"
        aria-valuetext={`${time(at_ms)} of ${time(end_ms)}`}
        min={Math.floor(start_ms / STEP_MS) * STEP_MS}
        max={Math.ceil(end_ms / STEP_MS) * STEP_MS}
        step={STEP_MS}
        value={Math.round(at_ms / STEP_MS) * STEP_MS}
        onChange={(event) => feed.seek(Number(event.target.value))}
      />
      <p className={clsx(styles.event, look.note)}>{now && `${time(now.at_ms)} ${now.text}`}</p>
      {events.length > 0 && (
        <details>
          <summary>What happened ({events.length})</summary>
          <ol className={styles.happened}>
            {events.map((event) => (
              <li key={event.number}>
                <Chip onClick={() => feed.seek(event.at_ms - BEFORE_EVENT_MS)}>
                  {time(event.at_ms)}
                </Chip>{" "}
                {event.text}
              </li>
            ))}
          </ol>
        </details>
      )}
    </Card>
  );
}
