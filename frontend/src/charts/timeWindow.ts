// A stretch of time that charts beside each other show, and where in it an
// instant is. Pure.
// SPDX-License-Identifier: Apache-2.0
import { roundTicks } from "./ticks";

export interface TimeWindow {
  readonly from_us: number;
  readonly to_us: number;
}

/** What is shown around a moment: more of what was than of what comes. */
export function around(at_us: number, length_us: number, shown_us: number): TimeWindow {
  const latest_us = Math.max(0, length_us - shown_us);
  const from_us = Math.min(latest_us, Math.max(0, at_us - 0.7 * shown_us));
  return { from_us, to_us: from_us + shown_us };
}

/** 0 … `width` for instants inside. */
export const place = (at_us: number, { from_us, to_us }: TimeWindow, width: number): number =>
  ((at_us - from_us) / (to_us - from_us)) * width;

/** Round instants inside, few enough to be read. */
export const ticks = ({ from_us, to_us }: TimeWindow, most = 6): number[] =>
  roundTicks(from_us, to_us, most);
