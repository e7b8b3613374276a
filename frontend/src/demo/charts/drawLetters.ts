// The letters of the lanes, each at the end of its line.
// SPDX-License-Identifier: Apache-2.0

import { drawText, type Pen } from "../../charts/pen";
import type { Lane } from "../feed/lane";
import { type DemoLane, lookOf } from "./lanes";
import type { Palette } from "./palette";
import { type Panel, yIn } from "./panel";

const LETTER_PX = 13;

/** A letter at each lane's newest value, one above the other where they would overlap; `newest`
 * gives null for a lane that has none yet. */
export function drawLetters(
  pen: Pen,
  panel: Panel,
  lanes: readonly (readonly [DemoLane, Lane])[],
  newest: (lane: Lane) => number | null,
  right_px: number,
  palette: Palette,
): void {
  const taken: number[] = [];
  for (const [lane, kept] of lanes) {
    const value = newest(kept);
    if (value === null) continue;
    let y = yIn(panel, value) + 4;
    while (taken.some((other) => Math.abs(other - y) < LETTER_PX)) y -= LETTER_PX;
    taken.push(y);
    drawText(pen, lane.letter, right_px - 5, y, {
      colour: palette.lanes[lookOf(lane)] ?? palette.ink,
      font: `700 ${palette.font}`,
      halo: palette.paper,
      align: "right",
    });
  }
}
