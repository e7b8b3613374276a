// How late messages were all along several takes, each from its own beginning.
// SPDX-License-Identifier: Apache-2.0

import { drawText, type Pen, type Size } from "../../../charts/pen";
import type { Palette } from "../../charts/palette";
import { drawPanelLines, drawPanelNumbers, type Panel, yIn } from "../../charts/panel";
import { roundDown, roundUp } from "../../charts/scales";
import { clockText, type Stretch, timeStep_ms, timeTicks_ms, xOf } from "../../charts/stretch";
import type { Line } from "./lines";
import { BIN_MS, stepFor, stepped } from "./traces";

export const DELAYS_PX = 280;
const HEAD_PX = 26;
const FOOT_PX = 36;
const RIGHT_PX = 28;

export interface DelaysModel {
  readonly lines: readonly Line[];
  readonly logarithmic: boolean;
}

export function drawDelays(
  pen: Pen,
  { lines, logarithmic }: DelaysModel,
  size: Size,
  palette: Palette,
): void {
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, size.width, size.height);
  const length_ms = Math.max(
    0,
    ...lines.map(({ trace }) => (trace?.longest_ms.length ?? 0) * BIN_MS),
  );
  const step_ms = stepFor(length_ms);
  const drawn = lines.map((line) => ({
    line,
    points: line.trace ? stepped(line.trace, step_ms) : [],
  }));
  const heights = drawn.flatMap(({ points }) => points.map(({ longest_ms }) => longest_ms));
  const soft = { colour: palette.inkSoft, font: palette.font };
  if (heights.length === 0) {
    drawText(pen, "Nothing was sent in these takes.", 12, 40, soft);
    return;
  }
  const most = roundUp(Math.max(...heights));
  const least = logarithmic ? Math.min(roundDown(Math.min(...heights)), most / 10) : 0;
  const panel: Panel = {
    top: HEAD_PX,
    bottom: size.height - FOOT_PX,
    scale: { least: logarithmic ? Math.max(least, 0.1) : 0, most, logarithmic },
    title: `Longest latency in each ${step_ms / 1000} s, ms`,
  };
  const px_per_ms = (size.width - RIGHT_PX) / length_ms;
  const stretch = { from_ms: 0, to_ms: length_ms, px_per_ms, now_ms: length_ms };
  drawPanelLines(pen, panel, size.width, palette);
  drawTime(pen, stretch, panel, palette);
  for (const { line, points } of drawn) {
    pen.strokeStyle = palette.lanes[line.look] ?? palette.ink;
    pen.lineWidth = 1.8;
    pen.lineJoin = "round";
    pen.setLineDash([...line.dash]);
    pen.beginPath();
    for (const [place, { at_ms, longest_ms }] of points.entries()) {
      const [x, y] = [xOf(at_ms, stretch), yIn(panel, longest_ms)];
      // Where nothing was sent, no line tells of it.
      const on = at_ms - (points[place - 1]?.at_ms ?? Number.NEGATIVE_INFINITY) <= step_ms;
      if (on) pen.lineTo(x, y);
      else pen.moveTo(x, y);
    }
    pen.stroke();
  }
  drawPanelNumbers(pen, panel, palette);
  drawEnds(pen, drawn, panel, stretch, palette);
}

type Drawn = readonly { readonly line: Line; readonly points: ReturnType<typeof stepped> }[];

/** Each line's label at its end, none over another. */
function drawEnds(pen: Pen, drawn: Drawn, panel: Panel, stretch: Stretch, palette: Palette): void {
  const taken: { readonly x: number; readonly y: number }[] = [];
  for (const { line, points } of drawn) {
    const last = points.at(-1);
    if (!last) continue;
    const x = xOf(last.at_ms, stretch) + 4;
    let y = yIn(panel, last.longest_ms) + 4;
    while (taken.some((other) => Math.abs(other.x - x) < 24 && Math.abs(other.y - y) < 13)) y -= 13;
    taken.push({ x, y });
    drawText(pen, line.label, x, y, {
      colour: palette.lanes[line.look] ?? palette.ink,
      font: `700 ${palette.font}`,
      halo: palette.paper,
    });
  }
}

function drawTime(pen: Pen, stretch: Stretch, panel: Panel, palette: Palette): void {
  const step_ms = timeStep_ms(stretch.px_per_ms);
  const ticks = timeTicks_ms(stretch, step_ms);
  pen.setLineDash([]);
  pen.strokeStyle = palette.line;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const tick of ticks) {
    const x = Math.round(xOf(tick, stretch)) + 0.5;
    pen.moveTo(x, panel.top);
    pen.lineTo(x, panel.bottom);
  }
  pen.stroke();
  const soft = { colour: palette.inkSoft, font: palette.font };
  for (const tick of ticks) {
    const align = tick === 0 ? "left" : "center";
    drawText(pen, clockText(tick, step_ms), xOf(tick, stretch), panel.bottom + 14, {
      ...soft,
      align,
    });
  }
  const middle = (stretch.to_ms * stretch.px_per_ms) / 2;
  const ink = { ...soft, colour: palette.ink, align: "center" } as const;
  drawText(pen, "Time since the take began, min:s", middle, panel.bottom + 30, ink);
}
