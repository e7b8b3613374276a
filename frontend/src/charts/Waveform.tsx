// The outline of a sound with what was done to it, and where it is being played.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { useMemo } from "react";
import { outlinePath, wideEnough } from "./outline";
import styles from "./Waveform.module.css";

export interface MarkedEvent {
  readonly kind: string;
  readonly at_ms: number;
  readonly length_ms: number;
}

interface WaveformProps {
  readonly lowest: readonly number[];
  readonly highest: readonly number[];
  /** What fills the height: that of the loudest waveform beside it. */
  readonly peak: number;
  readonly duration_ms: number;
  readonly events: readonly MarkedEvent[];
  readonly at_ms: number;
  readonly onSeek: (to_ms: number) => void;
  /** What is seen, for who does not see it. */
  readonly label: string;
}

export function Waveform(props: WaveformProps) {
  const { lowest, highest, peak, duration_ms, events, at_ms, onSeek, label } = props;
  const path = useMemo(() => outlinePath(lowest, highest), [lowest, highest]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the player beneath seeks by keys
    <div
      className={styles.waveform}
      role="img"
      aria-label={label}
      onClick={(event) => {
        const { left, width } = event.currentTarget.getBoundingClientRect();
        onSeek(((event.clientX - left) / width) * duration_ms);
      }}
    >
      <svg
        viewBox={`0 ${-peak} ${lowest.length} ${2 * peak}`}
        preserveAspectRatio="none"
        aria-hidden="true"
        focusable="false"
      >
        <path d={path} />
      </svg>
      {events.map((event) => (
        <span
          key={`${event.kind} ${event.at_ms}`}
          className={clsx(styles.event, styles[event.kind])}
          style={wideEnough(event, duration_ms)}
          title={`${event.kind}, ${Math.round(event.length_ms)} ms`}
        />
      ))}
      <span className={styles.playhead} style={{ left: `${(at_ms / duration_ms) * 100}%` }} />
    </div>
  );
}
