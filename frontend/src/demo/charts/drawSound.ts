// The row of sound under a lane's packets: what the receiver did to it, and how much
// it had in store.
// SPDX-License-Identifier: Apache-2.0

import type { PlayoutEventKind, PlayoutPassage } from "../../api/generated";
import { addMark, drawText, type Pen, type Size } from "../../charts/pen";
import type { Lane } from "../feed/lane";
import type { FeedStore } from "../feed/store";
import type { Row } from "./ladderGeometry";
import { type DemoLane, dashOf, lookOf } from "./lanes";
import type { ColourName, Palette } from "./palette";
import { heightOf } from "./scales";
import { type Stretch, xOf } from "./stretch";

const EDGE_PX = 6;
/** Longer than any passage: where to look for what reaches into a stretch. */
const LONGEST_MS = 20_000;
const LEAST_WIDTH_PX = 2;

export const SOUND_LOOKS: Readonly<
  Record<PlayoutEventKind, { readonly name: string; readonly colour: ColourName }>
> = {
  concealed: { name: "Concealed: sound made up", colour: "soundConcealed" },
  silent: { name: "Silent: nothing to play", colour: "soundSilent" },
  stretched: { name: "Stretched: played slower", colour: "soundStretched" },
  compressed: { name: "Compressed: played faster", colour: "soundCompressed" },
  dropped: { name: "Dropped: came too late", colour: "soundDropped" },
  damaged: { name: "Damaged: heard as it came", colour: "soundDamaged" },
};

/** One lane's, in a stretch of time. */
export function drawSoundRow(
  pen: Pen,
  kept: Lane,
  lane: DemoLane,
  row: Row,
  most_ms: number,
  stretch: Stretch,
  palette: Palette,
): void {
  const width = (stretch.to_ms - stretch.from_ms) * stretch.px_per_ms;
  pen.fillStyle = palette.card;
  pen.fillRect(0, row.top, width, row.bottom - row.top);
  drawPassages(pen, kept, row, stretch, palette);
  pen.strokeStyle = palette.lanes[lookOf(lane)] ?? palette.ink;
  pen.lineWidth = 1.6;
  pen.setLineDash([...dashOf(lane)]);
  drawBuffer(pen, kept, row, most_ms, stretch);
}

function drawBuffer(pen: Pen, { buffer }: Lane, row: Row, most_ms: number, stretch: Stretch): void {
  const scale = { least: 0, most: most_ms, logarithmic: false };
  const first = Math.max(0, buffer.lowerBound(({ at_ms }) => at_ms, stretch.from_ms) - 1);
  let open = false;
  pen.beginPath();
  for (let index = first; index < buffer.length; index++) {
    const level = buffer.at(index);
    if (!level || level.at_ms > stretch.now_ms) break;
    const x = xOf(level.at_ms, stretch);
    const y = row.bottom - heightOf(level.buffer_ms, scale) * (row.bottom - row.top);
    if (open) pen.lineTo(x, y);
    else pen.moveTo(x, y);
    open = true;
    if (level.at_ms > stretch.to_ms) break;
  }
  pen.stroke();
}

function drawPassages(
  pen: Pen,
  { passages }: Lane,
  row: Row,
  stretch: Stretch,
  palette: Palette,
): void {
  const first = passages.lowerBound(({ at_ms }) => at_ms, stretch.from_ms - LONGEST_MS);
  for (let index = first; index < passages.length; index++) {
    const passage = passages.at(index);
    if (!passage || passage.at_ms > Math.min(stretch.to_ms, stretch.now_ms)) return;
    if (passage.at_ms + passage.length_ms < stretch.from_ms - 12 / stretch.px_per_ms) continue;
    drawPassage(pen, passage, row, stretch, palette);
  }
}

/** Told apart by place and filling too: silence is a full block, concealment a striped
 * one, slower is at the upper edge, faster at the lower, what was dropped a cross, what came
 * damaged a line from edge to edge with a diamond on it. */
export function drawPassage(
  pen: Pen,
  { kind, at_ms, length_ms }: PlayoutPassage,
  { top, bottom }: Row,
  stretch: Stretch,
  palette: Palette,
): void {
  const x = xOf(at_ms, stretch);
  const shown_ms = Math.min(length_ms, stretch.now_ms - at_ms);
  const width = Math.max(LEAST_WIDTH_PX, shown_ms * stretch.px_per_ms);
  const colour = palette[SOUND_LOOKS[kind].colour];
  pen.setLineDash([]);
  pen.fillStyle = colour;
  pen.strokeStyle = colour;
  switch (kind) {
    case "silent":
      pen.fillRect(x, top, width, bottom - top);
      return;
    case "concealed":
      pen.globalAlpha = 0.25;
      pen.fillRect(x, top, width, bottom - top);
      pen.globalAlpha = 1;
      stripes(pen, x, x + width, top, bottom);
      return;
    case "stretched":
      pen.fillRect(x, top, width, EDGE_PX);
      return;
    case "compressed":
      pen.fillRect(x, bottom - EDGE_PX, width, EDGE_PX);
      return;
    case "dropped":
      pen.lineWidth = 2;
      pen.beginPath();
      addMark(pen, "cross", x, (top + bottom) / 2, 5);
      pen.stroke();
      return;
    case "damaged":
      pen.lineWidth = 1.5;
      pen.beginPath();
      pen.moveTo(x, top);
      pen.lineTo(x, bottom);
      pen.stroke();
      pen.beginPath();
      addMark(pen, "diamond", x, (top + bottom) / 2, 3.5);
      pen.fill();
  }
}

function stripes(pen: Pen, from: number, to: number, top: number, bottom: number): void {
  pen.lineWidth = 1;
  pen.strokeRect(from + 0.5, top + 0.5, Math.max(0, to - from - 1), bottom - top - 1);
  pen.beginPath();
  for (let y = top + 5; y < bottom; y += 6) {
    pen.moveTo(from, y);
    pen.lineTo(to, y);
  }
  pen.stroke();
}

/** What stands over the row and does not move. */
export function drawSoundWords(
  pen: Pen,
  { buffer }: Lane,
  { top }: Row,
  most_ms: number,
  stretch: Stretch,
  { width }: Size,
  palette: Palette,
): void {
  const soft = { colour: palette.inkSoft, font: palette.font, halo: palette.card };
  drawText(pen, `Sound; in store, up to ${most_ms} ms`, 6, top + 13, soft);
  const level = buffer.at(buffer.lowerBound(({ at_ms }) => at_ms, stretch.now_ms) - 1);
  if (!level) return;
  const text = `${Math.round(level.buffer_ms)} ms`;
  drawText(pen, text, width - 6, top + 13, { ...soft, align: "right" });
}

/** The most that was in store between two instants. */
export function bufferReach_ms(store: FeedStore, from_ms: number, to_ms: number): number {
  let most_ms = 0;
  for (const { buffer } of store.lanes) {
    for (
      let index = buffer.lowerBound(({ at_ms }) => at_ms, from_ms);
      index < buffer.length;
      index++
    ) {
      const level = buffer.at(index);
      if (!level || level.at_ms > to_ms) break;
      most_ms = Math.max(most_ms, level.buffer_ms);
    }
  }
  return most_ms;
}
