// The player's keys: Space plays and stops; where a trial is played freely, 1
// and 2 choose (of several all digits, and 0 the reference), arrows seek, comma and full stop bound the part that L repeats.
// SPDX-License-Identifier: Apache-2.0
import type { FreeInstrument, FreePast } from "./free";
import type { InTurnInstrument, InTurnPast } from "./inTurn";
import { SOUNDS } from "./pair";

const SEEK_SECONDS = 2;

export type AnyInstrument = FreeInstrument | InTurnInstrument;
export type Past = FreePast | InTurnPast;

/** Whether the key belongs to the element that has the focus. */
function isTaken(event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (!target || event.ctrlKey || event.metaKey || event.altKey) return target !== null;
  if (target.closest("textarea, select, input:not([type=radio], [type=checkbox], [type=range])")) {
    return true;
  }
  if (event.key === " ") {
    return target.closest("button, a, input:not([type=range]), summary") !== null;
  }
  if (event.key.startsWith("Arrow")) return target.closest("input") !== null;
  return false;
}

/** Does what the key means; returns whether it meant anything. */
export function pressKey(instrument: AnyInstrument, event: KeyboardEvent): boolean {
  if (isTaken(event)) return false;
  if (event.key === " ") {
    void instrument.toggle();
    return true;
  }
  return instrument.kind === "free" && pressFreeKey(instrument, event.key.toLowerCase());
}

function pressFreeKey(instrument: FreeInstrument, key: string): boolean {
  const { position_s, looping } = instrument.view();
  if (instrument.members.includes("third") && /^[0-9]$/.test(key)) {
    const member = key === "0" ? "x" : SOUNDS[Number(key) - 1];
    if (!member || !instrument.members.includes(member)) return false;
    void instrument.hear(member);
    return true;
  }
  switch (key) {
    case "1":
      if (instrument.members.length === 1) return false;
      void instrument.hear("first");
      return true;
    case "2":
      if (instrument.members.length === 1) return false;
      void instrument.hear("second");
      return true;
    case "3":
      if (!instrument.members.includes("x")) return false;
      void instrument.hear("x");
      return true;
    case "arrowleft":
      instrument.seek(position_s - SEEK_SECONDS);
      return true;
    case "arrowright":
      instrument.seek(position_s + SEEK_SECONDS);
      return true;
    case ",":
      instrument.beginLoopAt(position_s);
      return true;
    case ".":
      instrument.endLoopAt(position_s);
      return true;
    case "l":
      instrument.setLooping(!looping);
      return true;
    default:
      return false;
  }
}
