// Play, pause, seek and speed: buttons, a slider and a toggle, all by keyboard too.
// SPDX-License-Identifier: Apache-2.0

import { Button } from "../../../design/Button";
import { Slider } from "../../../design/Field";
import look from "../../../design/look.module.css";
import { Row } from "../../../design/Row";
import { Segments } from "../../../design/Segments";
import { SpeedChoice } from "../../../staff/SpeedChoice";
import styles from "./Controls.module.css";
import type { Playback } from "./playback";

const WINDOWS = { "1": "1 s", "4": "4 s", "15": "15 s" } as const;
export type WindowSeconds = keyof typeof WINDOWS;
/** What an arrow key moves the slider by. */
const STEP_US = 100_000;

interface ControlsProps {
  readonly playback: Playback;
  /** When each key was pressed. */
  readonly presses_us: readonly number[];
  readonly window_s: WindowSeconds;
  readonly onWindow: (window_s: WindowSeconds) => void;
}

export function Controls({ playback, presses_us, window_s, onWindow }: ControlsProps) {
  const { at_us, length_us, playing, speed, toggle, seek, setSpeed } = playback;
  // All in whole steps: a slider makes any other value one, and tells of it as if it was moved.
  const last_us = Math.ceil(length_us / STEP_US) * STEP_US;
  const before = presses_us.findLast((pressed_us) => pressed_us < at_us - 1000);
  const after = presses_us.find((pressed_us) => pressed_us > at_us + 1000);
  return (
    <div className={styles.replayControls}>
      <Row>
        <Button slim onClick={toggle}>
          {playing ? "Pause" : "Play"}
        </Button>
        <ToKey name="To the key before" at_us={before} onSeek={seek}>
          ← Key
        </ToKey>
        <ToKey name="To the next key" at_us={after} onSeek={seek}>
          Key →
        </ToKey>
        <span className={styles.replayClock}>
          {seconds(at_us)} <span className={look.soft}>of {seconds(length_us)}</span>
        </span>
      </Row>
      <Slider
        className={styles.replaySlider}
        aria-label="Moment of the session"
        aria-valuetext={`${seconds(at_us)} of ${seconds(length_us)}`}
        min={0}
        max={last_us}
        step={STEP_US}
        value={at_us >= length_us ? last_us : Math.round(at_us / STEP_US) * STEP_US}
        onSet={seek}
      />
      <Row spread>
        <SpeedChoice speed={speed} onChoose={setSpeed} />
        <Segments name="Shown around it" options={WINDOWS} chosen={window_s} onChoose={onWindow} />
      </Row>
    </div>
  );
}

interface ToKeyProps {
  readonly name: string;
  /** When it was pressed, where there is one. */
  readonly at_us: number | undefined;
  readonly onSeek: (to_us: number) => void;
  readonly children: string;
}

function ToKey({ name, at_us, onSeek, children }: ToKeyProps) {
  const there = at_us !== undefined;
  return (
    <Button quiet slim disabled={!there} onClick={() => there && onSeek(at_us)} aria-label={name}>
      {children}
    </Button>
  );
}

/** `12.34 s`. */
export const seconds = (time_us: number): string => `${(time_us / 1e6).toFixed(2)} s`;
