// Events as labelled lines over a chart, and the ground of a chart of time.
// SPDX-License-Identifier: Apache-2.0

import { drawText, type Pen, type Size } from "../../charts/pen";
import type { FeedStore } from "../feed/store";
import type { Palette } from "./palette";
import { clockText, type Stretch, timeStep_ms, timeTicks_ms, xOf } from "./stretch";

export const FOOT_PX = 20;
const ROWS = 2;
const ROW_PX = 17;
const PADDING_PX = 5;

/** Paper, a line at each round instant, its number at the foot. */
export function drawGround(pen: Pen, stretch: Stretch, height: number, palette: Palette): void {
  const width = (stretch.to_ms - stretch.from_ms) * stretch.px_per_ms;
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, width, height);
  const step_ms = timeStep_ms(stretch.px_per_ms);
  const ticks = timeTicks_ms(stretch, step_ms, 60 / stretch.px_per_ms);
  pen.setLineDash([]);
  pen.strokeStyle = palette.line;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const tick of ticks) {
    pen.moveTo(xOf(tick, stretch), 0);
    pen.lineTo(xOf(tick, stretch), height - FOOT_PX);
  }
  pen.stroke();
  for (const tick of ticks) {
    drawText(pen, clockText(tick, step_ms), xOf(tick, stretch), height - 6, {
      colour: palette.inkSoft,
      font: palette.font,
      align: "center",
    });
  }
}

interface EventsModel {
  readonly store: FeedStore;
  readonly now_ms: number;
  /** Whether no words may stand beside what happened. */
  readonly letters_only?: boolean;
}

/** Labels stand at the top, in rows, so that they do not cover each other; one for
 * which there is no room is left out, its line stays. */
export function drawEvents(
  pen: Pen,
  { store, letters_only }: EventsModel,
  stretch: Stretch,
  size: Size,
  palette: Palette,
  rows = ROWS,
): void {
  const { events } = store;
  const first = events.lowerBound(({ at_ms }) => at_ms, stretch.from_ms);
  const free = Array.from({ length: rows }, () => Number.POSITIVE_INFINITY);
  pen.font = palette.font;
  // The newest first: its label is what was just done.
  for (let index = events.length - 1; index >= first; index--) {
    const event = events.at(index);
    if (!event || event.at_ms > stretch.now_ms) continue;
    const x = Math.round(xOf(event.at_ms, stretch)) + 0.5;
    pen.strokeStyle = palette.accent;
    pen.lineWidth = 1.5;
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(x, 0);
    pen.lineTo(x, size.height - FOOT_PX);
    pen.stroke();
    if (letters_only) continue;
    const text = shortened(pen, event.text, size.width * 0.6);
    const wide = pen.measureText(text).width + 2 * PADDING_PX;
    const left = Math.min(Math.max(0, x), size.width - wide);
    const row = free.findIndex((from) => left + wide < from);
    if (row < 0) continue;
    free[row] = left;
    pen.fillStyle = palette.accent;
    pen.fillRect(left, row * ROW_PX, wide, ROW_PX - 1);
    drawText(pen, text, left + PADDING_PX, row * ROW_PX + 12, {
      colour: palette.paper,
      font: palette.font,
    });
  }
}

/** Asked in every frame, so it measures once instead of trying out. */
function shortened(pen: Pen, text: string, most_px: number): string {
  const { width } = pen.measureText(text);
  if (width <= most_px) return text;
  const kept = Math.floor((text.length * most_px) / width) - 2;
  return `${text.slice(0, Math.max(4, kept)).trimEnd()}…`;
}

/** For charts without an axis of time: the newest event in a line of text. */
export function drawLastEvent(
  pen: Pen,
  model: EventsModel,
  left: number,
  size: Size,
  palette: Palette,
): void {
  const event = model.letters_only ? null : lastEventLine(model);
  if (!event) return;
  pen.font = palette.font;
  drawText(pen, shortened(pen, `Last: ${event}`, size.width - left - 6), left, size.height - 6, {
    colour: palette.accent,
    font: palette.font,
  });
}

function lastEventLine({ store, now_ms }: EventsModel): string | null {
  for (let index = store.events.length - 1; index >= 0; index--) {
    const event = store.events.at(index);
    if (!event || event.at_ms > now_ms) continue;
    const ago_s = Math.floor((now_ms - event.at_ms) / 1000);
    const ago = ago_s < 60 ? `${ago_s} s ago` : `${Math.floor(ago_s / 60)} min ago`;
    return `${ago}, ${event.text}`;
  }
  return null;
}
