// A forest plot as a picture for a paper: black on white, whatever the page's colours.
// SPDX-License-Identifier: Apache-2.0

import type { Estimate } from "../../api/generated";
import { addMark, drawText, type Pen } from "../../charts/pen";
import type { Picture } from "../../charts/pictureFiles";
import { type Scale, saidInterval, spanOf } from "./scale";

export interface PicturedRow {
  readonly label: string;
  readonly detail: string;
  readonly estimate: Estimate;
}

export interface Pictured {
  readonly title: string;
  readonly scale: Scale;
  readonly rows: readonly PicturedRow[];
  readonly ends: readonly [string, string] | null;
}

const WIDTH_PX = 960;
const MARGIN_PX = 16;
const TITLE_PX = 32;
const ROW_PX = 40;
const AXIS_PX = 44;
const PLOT = { left: 400, right: 780 } as const;
const INK = { colour: "#000", font: "12px sans-serif" };
const SOFT = { colour: "#555", font: "11px sans-serif" };
const TITLE = { colour: "#000", font: "600 16px sans-serif" };

export function forestPicture({ title, scale, rows, ends }: Pictured): Picture {
  const top = MARGIN_PX + TITLE_PX;
  const bottom = top + rows.length * ROW_PX;
  const at = (percent: number) => PLOT.left + ((PLOT.right - PLOT.left) * percent) / 100;
  return {
    title,
    width: WIDTH_PX,
    height: bottom + AXIS_PX + MARGIN_PX,
    draw(pen) {
      pen.fillStyle = "#fff";
      pen.fillRect(0, 0, WIDTH_PX, bottom + AXIS_PX + MARGIN_PX);
      drawText(pen, title, MARGIN_PX, MARGIN_PX + 14, TITLE);
      for (const tick of scale.ticks) {
        const x = at(scale.at(tick));
        upright(pen, x, top, bottom, "#ddd", []);
        drawText(pen, scale.say(tick), x, bottom + 16, { ...INK, align: "center" });
      }
      for (const [index, row] of rows.entries()) {
        drawRow(pen, row, top + (index + 0.5) * ROW_PX, scale, at);
      }
      if (ends) {
        drawText(pen, `← ${ends[0]}`, PLOT.left, bottom + 34, SOFT);
        drawText(pen, `${ends[1]} →`, PLOT.right, bottom + 34, { ...SOFT, align: "right" });
      }
    },
  };
}

function drawRow(
  pen: Pen,
  { label, detail, estimate }: PicturedRow,
  y: number,
  scale: Scale,
  at: (percent: number) => number,
): void {
  drawText(pen, label, MARGIN_PX, y - 2, INK);
  drawText(pen, detail, MARGIN_PX, y + 13, SOFT);
  const { null_value, too_few, value } = estimate;
  if (null_value !== null) {
    upright(pen, at(scale.at(null_value)), y - ROW_PX / 2, y + ROW_PX / 2, "#555", [3, 3]);
  }
  if (too_few) {
    drawText(pen, "too few votes", PLOT.right + MARGIN_PX, y + 4, SOFT);
    return;
  }
  const { from, to } = spanOf(scale, estimate);
  pen.strokeStyle = "#000";
  pen.lineWidth = 2;
  pen.beginPath();
  pen.moveTo(at(from), y);
  pen.lineTo(at(to), y);
  pen.stroke();
  pen.fillStyle = "#000";
  pen.beginPath();
  addMark(pen, "circle", at(scale.at(value)), y, 5);
  pen.fill();
  drawText(pen, scale.say(value), PLOT.right + MARGIN_PX, y - 2, INK);
  drawText(pen, saidInterval(scale, estimate), PLOT.right + MARGIN_PX, y + 13, SOFT);
}

function upright(
  pen: Pen,
  x: number,
  from: number,
  to: number,
  colour: string,
  dash: readonly number[],
): void {
  pen.strokeStyle = colour;
  pen.lineWidth = 1;
  pen.setLineDash([...dash]);
  pen.beginPath();
  pen.moveTo(x, from);
  pen.lineTo(x, to);
  pen.stroke();
  pen.setLineDash([]);
}
