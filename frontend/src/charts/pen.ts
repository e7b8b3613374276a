// What the charts draw with: as much of a canvas context as one that writes SVG
// has too, and the marks, so that each means the same everywhere.
// SPDX-License-Identifier: Apache-2.0

export type Pen = Pick<
  CanvasRenderingContext2D,
  | "save"
  | "restore"
  | "translate"
  | "beginPath"
  | "closePath"
  | "moveTo"
  | "lineTo"
  | "arc"
  | "rect"
  | "clip"
  | "stroke"
  | "fill"
  | "fillRect"
  | "strokeRect"
  | "fillText"
  | "strokeText"
  | "measureText"
  | "setLineDash"
  | "strokeStyle"
  | "fillStyle"
  | "lineWidth"
  | "lineJoin"
  | "lineCap"
  | "font"
  | "textAlign"
  | "textBaseline"
  | "globalAlpha"
>;

/** In CSS pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export type MarkShape =
  | "circle"
  | "square"
  | "triangle"
  | "diamond"
  | "cross"
  | "down"
  | "downDotted"
  | "bar";

/** Adds a mark to the path that is open. */
export function addMark(pen: Pen, shape: MarkShape, x: number, y: number, size: number): void {
  switch (shape) {
    case "circle":
      pen.moveTo(x + size, y);
      pen.arc(x, y, size, 0, 2 * Math.PI);
      return;
    case "square":
      polygon(pen, x, y, size, [-1, -1, 1, -1, 1, 1, -1, 1]);
      return;
    case "triangle":
      polygon(pen, x, y, size, [0, -1.3, 1.25, 1, -1.25, 1]);
      return;
    case "diamond":
      polygon(pen, x, y, size, [0, -1.45, 1.45, 0, 0, 1.45, -1.45, 0]);
      return;
    case "down":
      polygon(pen, x, y, size, [0, 1.3, 1.2, -0.9, -1.2, -0.9]);
      return;
    case "downDotted":
      polygon(pen, x, y, size, [0, 1.3, 1.2, -0.9, -1.2, -0.9]);
      pen.moveTo(x, y + 2 * size);
      pen.lineTo(x, y + 3.2 * size);
      return;
    case "bar":
      pen.moveTo(x, y - size);
      pen.lineTo(x, y + size);
      return;
    case "cross":
      pen.moveTo(x - size, y - size);
      pen.lineTo(x + size, y + size);
      pen.moveTo(x + size, y - size);
      pen.lineTo(x - size, y + size);
  }
}

function polygon(pen: Pen, x: number, y: number, size: number, corners: readonly number[]): void {
  for (let corner = 0; corner < corners.length; corner += 2) {
    const to_x = x + size * (corners[corner] ?? 0);
    const to_y = y + size * (corners[corner + 1] ?? 0);
    if (corner === 0) pen.moveTo(to_x, to_y);
    else pen.lineTo(to_x, to_y);
  }
  pen.closePath();
}

export interface TextStyle {
  readonly colour: string;
  readonly font: string;
  /** What lies behind it, so that lines do not run through it. */
  readonly halo?: string;
  readonly align?: CanvasTextAlign;
}

export function drawText(pen: Pen, text: string, x: number, y: number, style: TextStyle): void {
  pen.font = style.font;
  pen.textAlign = style.align ?? "left";
  pen.textBaseline = "alphabetic";
  if (style.halo) {
    pen.setLineDash([]);
    pen.lineJoin = "round";
    pen.lineWidth = 4;
    pen.strokeStyle = style.halo;
    pen.strokeText(text, x, y);
  }
  pen.fillStyle = style.colour;
  pen.fillText(text, x, y);
}
