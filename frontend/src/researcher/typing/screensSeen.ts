// When a screen could be seen. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { ScreenShown } from "../../api/generated";

/** When it was painted; one that was never told as painted, when it was read. */
export const seenAt = (screen: ScreenShown): number =>
  Math.max(0, screen.painted_us ?? screen.at_us);

/** How many of the screens had been seen by then. They come in the order written. */
export function seenBy(screens: readonly ScreenShown[], at_us: number): number {
  let seen = 0;
  for (const screen of screens) {
    if (seenAt(screen) > at_us) break;
    seen += 1;
  }
  return seen;
}
