// When a screen could be seen. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { ScreenShown } from "../../../api/generated";

/** When it was painted; one that was never told as painted, when it was read. What was
 * there before keys counted is there from the start, however late the page drew it. */
export const seenAt = ({ at_us, painted_us }: ScreenShown): number =>
  at_us < 0 ? 0 : Math.max(0, painted_us ?? at_us);

/** How many of the screens had been seen by then. They come in the order written. */
export function seenBy(screens: readonly ScreenShown[], at_us: number): number {
  let seen = 0;
  for (const screen of screens) {
    if (seenAt(screen) > at_us) break;
    seen += 1;
  }
  return seen;
}
