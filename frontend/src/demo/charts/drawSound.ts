// The strip of sound under the packets: what the receiver did to it, and how much
// it had in store.
// SPDX-License-Identifier: Apache-2.0

import type { PlayoutEventKind, PlayoutPassage } from "../../api/generated";
import type { Lane } from "../feed/lane";
import type { FeedStore } from "../feed/store";
import { drawEvents, drawGround, FOOT_PX } from "./drawEvents";
import { ladderStretch } from "./ladderGeometry";
import { type DemoLane, dashOf, lookOf, titleOf } from "./lanes";
import type { ColourName, Palette } from "./palette";
import { addMark, drawText, type Pen, type Size } from "./pen";
import { heightOf } from "./scales";
import { type Stretch, xOf } from "./stretch";

const HEAD_PX = 18;
const ROW_PX = 58;
const GAP_TOP_PX = 20;
const EDGE_PX = 7;
/** Longer than any passage: where to look for what reaches into a stretch. */
const LONGEST_MS = 20_000;
const LEAST_WIDTH_PX = 2;

export const soundHeight = (lanes: number): number => HEAD_PX + lanes * ROW_PX + FOOT_PX;

export interface SoundModel {
  readonly store: FeedStore;
  readonly lanes: readonly DemoLane[];
  readonly now_ms: number;
  readonly shown_ms: number;
  /** What fills the height of a row. */
  readonly buffer_most_ms: number;
}

export const SOUND_LOOKS: Readonly<
  Record<PlayoutEventKind, { readonly name: string; readonly colour: ColourName }>
> = {
  concealed: { name: "Concealed: sound made up", colour: "soundConcealed" },
  silent: { name: "Silent: nothing to play", colour: "soundSilent" },
  stretched: { name: "Stretched: played slower", colour: "soundStretched" },
  compressed: { name: "Compressed: played faster", colour: "soundCompressed" },
  dropped: { name: "Dropped: came too late", colour: "soundDropped" },
};

export function drawSound(pen: Pen, model: SoundModel, size: Size, palette: Palette): void {
  const stretch = ladderStretch(size, model.now_ms, model.shown_ms);
  drawSoundStretch(pen, model, stretch, size, palette);
  drawSoundOver(pen, model, stretch, size, palette);
}

interface Row {
  readonly top: number;
  readonly bottom: number;
}

const rowOf = (lane: number): Row => ({
  top: HEAD_PX + lane * ROW_PX + GAP_TOP_PX,
  bottom: HEAD_PX + (lane + 1) * ROW_PX - 4,
});

export function drawSoundStretch(
  pen: Pen,
  model: SoundModel,
  stretch: Stretch,
  size: Size,
  palette: Palette,
): void {
  const width = (stretch.to_ms - stretch.from_ms) * stretch.px_per_ms;
  drawGround(pen, stretch, size.height, palette);
  for (const [index, lane] of model.lanes.entries()) {
    const kept = model.store.lanes[index];
    if (!kept) continue;
    const row = rowOf(index);
    pen.setLineDash([]);
    pen.lineWidth = 1;
    pen.strokeStyle = palette.edge;
    pen.beginPath();
    pen.moveTo(0, row.bottom + 0.5);
    pen.lineTo(width, row.bottom + 0.5);
    pen.stroke();
    drawPassages(pen, kept, row, stretch, palette);
    pen.strokeStyle = palette.lanes[lookOf(lane)] ?? palette.ink;
    pen.lineWidth = 1.6;
    pen.setLineDash([...dashOf(lane)]);
    drawBuffer(pen, kept, row, model.buffer_most_ms, stretch);
  }
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
 * one, slower is at the upper edge, faster at the lower, what was dropped a cross. */
function drawPassage(
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

export function drawSoundOver(
  pen: Pen,
  model: SoundModel,
  stretch: Stretch,
  size: Size,
  palette: Palette,
): void {
  for (const [index, lane] of model.lanes.slice(0, model.store.lanes.length).entries()) {
    const { top, bottom } = rowOf(index);
    const { buffer } = model.store.lanes[index] ?? {};
    const level = buffer?.at(buffer.lowerBound(({ at_ms }) => at_ms, stretch.now_ms) - 1);
    const colour = palette.lanes[lookOf(lane)] ?? palette.ink;
    const style = { colour, font: `600 ${palette.font}`, halo: palette.paper };
    drawText(pen, titleOf(lane), 6, top - 6, style);
    if (level) {
      const text = `${Math.round(level.buffer_ms)} ms in store`;
      drawText(pen, text, size.width - 6, top - 6, { ...style, align: "right" });
    }
    drawText(pen, `${model.buffer_most_ms} ms`, 6, top + 10, {
      colour: palette.inkSoft,
      font: palette.font,
      halo: palette.paper,
    });
    drawText(pen, "0", 6, bottom - 3, {
      colour: palette.inkSoft,
      font: palette.font,
      halo: palette.paper,
    });
  }
  drawEvents(pen, model, stretch, size, palette, 1);
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
