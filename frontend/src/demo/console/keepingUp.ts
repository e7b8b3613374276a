// Whether the machine that the lab runs on can keep up, from what it counted in the last
// minute. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { HeldUpLately } from "../../api/generated";

/** As many ms of a minute: one message in fifty is late by it, as many as a usual path loses. */
const MUCH_MS = 1_200;
/** Below it the machine keeps up again: what is said must not come and go. */
const LITTLE_MS = 600;

/** Whether it cannot keep up, by what is known now and what was said before. */
export function cannotKeepUp(before: boolean, held_up: HeldUpLately | null): boolean {
  if (!held_up) return false;
  if (held_up.sound_left_out > 0) return true;
  return held_up.stood_still_ms >= (before ? LITTLE_MS : MUCH_MS);
}
