// The player's keys: Space plays and pauses, 1 and 2 choose, arrows seek.
// SPDX-License-Identifier: Apache-2.0
import type { Instrument } from "./instrument";

const SEEK_SECONDS = 2;

/** Whether the key belongs to the element that has the focus. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (!target || event.ctrlKey || event.metaKey || event.altKey) return target !== null;
  if (target.closest("textarea, select, input:not([type=radio], [type=checkbox], [type=range])")) {
    return true;
  }
  if (event.key === " ") return target.closest("button, a, input, summary") !== null;
  if (event.key.startsWith("Arrow")) return target.closest("input") !== null;
  return false;
}

/** Does what the key means; returns whether it meant anything. */
export function pressKey(instrument: Instrument, event: KeyboardEvent): boolean {
  if (isTaken(event)) return false;
  switch (event.key) {
    case " ":
      void instrument.toggle();
      return true;
    case "1":
      void instrument.hear("first");
      return true;
    case "2":
      void instrument.hear("second");
      return true;
    case "ArrowLeft":
      instrument.seek(instrument.view().position_s - SEEK_SECONDS);
      return true;
    case "ArrowRight":
      instrument.seek(instrument.view().position_s + SEEK_SECONDS);
      return true;
    default:
      return false;
  }
}
