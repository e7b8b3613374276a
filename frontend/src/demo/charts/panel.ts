// A part of a chart of time with a scale of values of its own.
// SPDX-License-Identifier: Apache-2.0

import { drawText, type Pen } from "../../charts/pen";
import type { Palette } from "./palette";
import { heightOf, ticksOf, type ValueScale } from "./scales";

export interface Panel {
  readonly top: number;
  readonly bottom: number;
  readonly scale: ValueScale;
  /** What its values are, with their unit. */
  readonly title: string;
  readonly most_ticks?: number;
}

export const yIn = ({ top, bottom, scale }: Panel, value: number): number =>
  bottom - heightOf(value, scale) * (bottom - top);

export function drawPanelLines(pen: Pen, panel: Panel, width: number, palette: Palette): void {
  pen.setLineDash([]);
  pen.lineWidth = 1;
  pen.strokeStyle = palette.line;
  pen.beginPath();
  for (const tick of ticksOf(panel.scale, panel.most_ticks)) {
    const y = Math.round(yIn(panel, tick)) + 0.5;
    pen.moveTo(0, y);
    pen.lineTo(width, y);
  }
  pen.stroke();
}

export function drawPanelNumbers(pen: Pen, panel: Panel, palette: Palette): void {
  const style = { colour: palette.inkSoft, font: palette.font, halo: palette.paper };
  const title_y = panel.top - 4;
  let title_x = 5;
  for (const tick of ticksOf(panel.scale, panel.most_ticks)) {
    const y = yIn(panel, tick) - 4;
    if (y > title_y + 12) drawText(pen, numberText(tick), 5, y, style);
    else if (y > title_y - 1) {
      // The title stands behind the number of the uppermost line.
      drawText(pen, numberText(tick), 5, title_y, style);
      title_x += pen.measureText(numberText(tick)).width + 12;
    }
  }
  drawText(pen, panel.title, title_x, title_y, { ...style, colour: palette.ink });
}

export const numberText = (value: number): string =>
  value >= 10_000 ? `${value / 1000} k` : String(Number(value.toPrecision(4)));
