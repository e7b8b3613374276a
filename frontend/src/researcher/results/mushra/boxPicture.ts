// A box plot as a picture for a paper: black on white, whatever the page's colours.
// SPDX-License-Identifier: Apache-2.0

import type { BesideFindings } from "../../../api/generated";
import { addMark, drawText, type Pen } from "../../../charts/pen";
import type { Picture } from "../../../charts/pictureFiles";
import { counted } from "../../../staff/format";
import type { Scale } from "../scale";

interface Pictured {
  readonly title: string;
  readonly scale: Scale;
  readonly rows: readonly BesideFindings[];
  readonly ends: readonly [string, string];
}

export const labelOf = ({ condition, is_reference }: BesideFindings): string =>
  is_reference ? `${condition} (hidden reference)` : condition;

export const detailOf = ({ clip, votes }: BesideFindings): string =>
  `${clip ?? "all clips"} · ${counted(votes, "rating")}`;

export const spreadOf = (scale: Scale, row: BesideFindings): string =>
  `${scale.say(row.lower_quartile)} to ${scale.say(row.upper_quartile)}`;

const WIDTH_PX = 960;
const MARGIN_PX = 16;
const TITLE_PX = 32;
const ROW_PX = 40;
const AXIS_PX = 44;
const HALF_BOX_PX = 9;
const PLOT = { left: 330, right: 800 } as const;
const INK = { colour: "#000", font: "12px sans-serif" };
const SOFT = { colour: "#555", font: "11px sans-serif" };
const TITLE = { colour: "#000", font: "600 16px sans-serif" };

export function boxPicture({ title, scale, rows, ends }: Pictured): Picture {
  const top = MARGIN_PX + TITLE_PX;
  const bottom = top + rows.length * ROW_PX;
  const height = bottom + AXIS_PX + MARGIN_PX;
  const at = (value: number) => PLOT.left + ((PLOT.right - PLOT.left) * scale.at(value)) / 100;
  return {
    title,
    width: WIDTH_PX,
    height,
    draw(pen) {
      pen.fillStyle = "#fff";
      pen.fillRect(0, 0, WIDTH_PX, height);
      drawText(pen, title, MARGIN_PX, MARGIN_PX + 14, TITLE);
      for (const tick of scale.ticks) {
        line(pen, [at(tick), top], [at(tick), bottom], "#ddd", 1);
        drawText(pen, scale.say(tick), at(tick), bottom + 16, { ...INK, align: "center" });
      }
      for (const [index, row] of rows.entries()) {
        const y = top + (index + 0.5) * ROW_PX;
        drawText(pen, labelOf(row), MARGIN_PX, y - 2, INK);
        drawText(pen, detailOf(row), MARGIN_PX, y + 13, SOFT);
        drawBox(pen, row, y, at);
        drawText(pen, scale.say(row.median), PLOT.right + MARGIN_PX, y - 2, INK);
        drawText(pen, spreadOf(scale, row), PLOT.right + MARGIN_PX, y + 13, SOFT);
      }
      drawText(pen, `← ${ends[0]}`, PLOT.left, bottom + 34, SOFT);
      drawText(pen, `${ends[1]} →`, PLOT.right, bottom + 34, { ...SOFT, align: "right" });
    },
  };
}

function drawBox(pen: Pen, row: BesideFindings, y: number, at: (value: number) => number): void {
  const [from, to] = [at(row.lower_quartile), at(row.upper_quartile)];
  line(pen, [at(row.lower_whisker), y], [from, y], "#000", 1);
  line(pen, [to, y], [at(row.upper_whisker), y], "#000", 1);
  const [above, below] = [y - HALF_BOX_PX, y + HALF_BOX_PX];
  line(pen, [from, above], [to, above], "#000", 1);
  line(pen, [from, below], [to, below], "#000", 1);
  line(pen, [from, above], [from, below], "#000", 1);
  line(pen, [to, above], [to, below], "#000", 1);
  line(pen, [at(row.median), above], [at(row.median), below], "#000", 3);
  pen.fillStyle = "#000";
  for (const score of new Set(row.beyond)) {
    pen.beginPath();
    addMark(pen, "circle", at(score), y, 2.5);
    pen.fill();
  }
}

type Point = readonly [x: number, y: number];

function line(pen: Pen, from: Point, to: Point, colour: string, width_px: number): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width_px;
  pen.setLineDash([]);
  pen.beginPath();
  pen.moveTo(...from);
  pen.lineTo(...to);
  pen.stroke();
}
