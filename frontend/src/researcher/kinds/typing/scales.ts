// How long a replay is, and how high its charts reach. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { KeyPassage, ScreenShown, TypingReplay } from "../../../api/generated";
import { seenAt } from "./screensSeen";

const LEAST_US = 1e6;
/** Above the highest of these, a few keys may be cut: their marks still show. */
const REACH_SHARE = 0.99;

/** From the terminal being ready to the last thing that was seen. */
export function lengthOf(session: TypingReplay, screens: readonly ScreenShown[]): number {
  const typed_us =
    session.ready_at && session.ended_at
      ? (Date.parse(session.ended_at) - Date.parse(session.ready_at)) * 1000
      : 0;
  const key = session.keys.at(-1);
  const last_us = key ? key.pressed_us + (key.painted_us ?? 0) : 0;
  const screen = screens.at(-1);
  return Math.max(LEAST_US, typed_us, last_us, screen ? seenAt(screen) : 0);
}

/** What the height of the keys' chart stands for. */
export function reachOf(keys: readonly KeyPassage[]): number {
  const late_us = keys
    .flatMap(({ painted_us }) =>
      painted_us === null || painted_us === undefined ? [] : [painted_us],
    )
    .sort((a, b) => a - b);
  const high_us = late_us[Math.ceil(late_us.length * REACH_SHARE) - 1] ?? 0;
  return Math.max(200_000, high_us * 1.15);
}

/** Half of the path's round trip. */
export function oneWayOf({ condition }: TypingReplay): number {
  const { forward, backward } = condition.path;
  return ((forward.delay_ms + backward.delay_ms) / 2) * 1000;
}
