// Two metrics weighed against each other as a picture for a paper: black on white, whatever the
// page's colours.
// SPDX-License-Identifier: Apache-2.0

import type { WeighedFindings } from "../../../api/generated";
import { addMark, drawText, type MarkShape, type Pen } from "../../../charts/pen";
import type { Picture } from "../../../charts/pictureFiles";
import { axesOf, isRated, lineOf, placesOf, type Sign } from "./weighed";
import { lineName, signsOf } from "./weighedWords";

interface Pictured {
  readonly title: string;
  readonly note: string;
  readonly found: WeighedFindings;
}

interface Look {
  readonly shape: MarkShape;
  readonly fill: string;
  readonly edge: string;
}

const FULL: Look = { shape: "circle", fill: "#000", edge: "#fff" };
const EMPTY: Look = { shape: "triangle", fill: "#fff", edge: "#000" };
const HALF: Look = { shape: "diamond", fill: "#aaa", edge: "#000" };
const LOOKS: Readonly<Record<Sign, Look>> = {
  b: FULL,
  a: EMPTY,
  both: HALF,
  high: FULL,
  low: EMPTY,
  middle: HALF,
};

const SIZE = { width: 960, height: 620 } as const;
const MARGIN_PX = 16;
const PLOT = { left: 80, right: 944, top: 96, bottom: 496 } as const;
const LEGEND_Y = 566;
const NOTE_Y = 596;
const KEY_PX = 190;
const LARGEST_PX = 7;
const INK = { colour: "#000", font: "12px sans-serif" };
const SOFT = { colour: "#555", font: "11px sans-serif" };
const TITLE = { colour: "#000", font: "600 16px sans-serif" };

type Point = readonly [x: number, y: number];

export function weighedPicture({ title, note, found }: Pictured): Picture {
  const { right, up } = axesOf(found);
  const x = (value: number) => PLOT.left + ((PLOT.right - PLOT.left) * right.at(value)) / 100;
  const y = (value: number) => PLOT.bottom - ((PLOT.bottom - PLOT.top) * up.at(value)) / 100;
  const level = (value: number): readonly Point[] => [
    [PLOT.left, y(value)],
    [PLOT.right, y(value)],
  ];
  const upright = (value: number): readonly Point[] => [
    [x(value), PLOT.top],
    [x(value), PLOT.bottom],
  ];
  const line = lineOf(found, right);
  const places = placesOf(found);
  const most = Math.max(...places.map(({ votes }) => votes));
  return {
    title,
    ...SIZE,
    draw(pen) {
      pen.fillStyle = "#fff";
      pen.fillRect(0, 0, SIZE.width, SIZE.height);
      drawText(pen, title, MARGIN_PX, MARGIN_PX + 14, TITLE);
      drawText(pen, up.title, MARGIN_PX, PLOT.top - 24, INK);
      for (const tick of up.ticks) {
        stroke(pen, level(tick), "#ddd", 1);
        drawText(pen, up.say(tick), PLOT.left - 8, y(tick) + 4, { ...INK, align: "right" });
      }
      for (const tick of right.ticks) {
        stroke(pen, upright(tick), "#ddd", 1);
        drawText(pen, right.say(tick), x(tick), PLOT.bottom + 18, { ...INK, align: "center" });
      }
      if (!isRated(found)) {
        stroke(pen, level(0), "#555", 1);
        stroke(pen, upright(0), "#555", 1);
      }
      drawText(pen, right.title, PLOT.right, PLOT.bottom + 38, { ...INK, align: "right" });
      pen.save();
      pen.beginPath();
      pen.rect(PLOT.left, PLOT.top, PLOT.right - PLOT.left, PLOT.bottom - PLOT.top);
      pen.clip();
      fillBand(
        pen,
        line.map(({ other_apart, high }) => [x(other_apart), y(high)]),
        line.map(({ other_apart, low }) => [x(other_apart), y(low)]),
      );
      stroke(
        pen,
        line.map(({ other_apart, apart }) => [x(other_apart), y(apart)]),
        "#000",
        2,
      );
      pen.restore();
      for (const place of places) {
        const size = LARGEST_PX * (0.45 + 0.55 * Math.sqrt(place.votes / most));
        mark(pen, place.sign, x(place.right), y(place.up), size);
      }
      drawLegend(pen, found, line.length > 0);
      drawText(pen, note, MARGIN_PX, NOTE_Y, SOFT);
    },
  };
}

function drawLegend(pen: Pen, found: WeighedFindings, withLine: boolean): void {
  const signs = signsOf(found);
  for (const [index, [sign, name]] of signs.entries()) {
    const x = MARGIN_PX + LARGEST_PX + index * KEY_PX;
    mark(pen, sign, x, LEGEND_Y - 4, 5);
    drawText(pen, name, x + 14, LEGEND_Y, INK);
  }
  if (!withLine) return;
  const x = MARGIN_PX + signs.length * KEY_PX;
  const y = LEGEND_Y - 4;
  stroke(
    pen,
    [
      [x, y],
      [x + 28, y],
    ],
    "#000",
    2,
  );
  drawText(pen, lineName(found), x + 36, LEGEND_Y, INK);
}

function mark(pen: Pen, sign: Sign, x: number, y: number, size: number): void {
  const { shape, fill, edge } = LOOKS[sign];
  pen.fillStyle = fill;
  pen.strokeStyle = edge;
  pen.lineWidth = 1.5;
  pen.beginPath();
  addMark(pen, shape, x, y, size);
  pen.fill();
  pen.stroke();
}

function fillBand(pen: Pen, above: readonly Point[], below: readonly Point[]): void {
  if (above.length === 0) return;
  pen.globalAlpha = 0.12;
  pen.fillStyle = "#000";
  trace(pen, [...above, ...below.toReversed()]);
  pen.closePath();
  pen.fill();
  pen.globalAlpha = 1;
}

function stroke(pen: Pen, points: readonly Point[], colour: string, width_px: number): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width_px;
  pen.setLineDash([]);
  trace(pen, points);
  pen.stroke();
}

function trace(pen: Pen, points: readonly Point[]): void {
  pen.beginPath();
  for (const [index, [x, y]] of points.entries()) {
    if (index === 0) pen.moveTo(x, y);
    else pen.lineTo(x, y);
  }
}
