// The time of a replay: it runs, stops, is set, and runs faster or slower.
// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useRef, useState } from "react";

export interface Playback {
  /** Since the terminal was ready. */
  readonly at_us: number;
  readonly length_us: number;
  readonly playing: boolean;
  readonly speed: number;
  readonly toggle: () => void;
  readonly seek: (to_us: number) => void;
  readonly setSpeed: (speed: number) => void;
}

/** Where a replay is after `passed_ms` more of the reader's time. */
export function later(at_us: number, passed_ms: number, speed: number, length_us: number): number {
  return Math.min(length_us, at_us + passed_ms * 1000 * speed);
}

export function usePlayback(length_us: number): Playback {
  const [at_us, setAt] = useState(0);
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const now = useRef(at_us);
  now.current = at_us;
  useEffect(() => {
    if (!playing) return;
    let frame = 0;
    let last_ms = performance.now();
    const tick = (at_ms: number) => {
      const next_us = later(now.current, Math.max(0, at_ms - last_ms), speed, length_us);
      last_ms = at_ms;
      now.current = next_us;
      setAt(next_us);
      if (next_us >= length_us) return setPlaying(false);
      frame = requestAnimationFrame(tick);
    };
    frame = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(frame);
  }, [playing, speed, length_us]);
  const seek = useCallback(
    (to_us: number) => setAt(Math.min(length_us, Math.max(0, to_us))),
    [length_us],
  );
  const toggle = useCallback(() => {
    // At the end, playing begins anew.
    if (!playing && now.current >= length_us) setAt(0);
    setPlaying(!playing);
  }, [playing, length_us]);
  return { at_us, length_us, playing, speed, toggle, seek, setSpeed };
}
