// A chart made ready to stand in a paper: its title, the picture, the axis of time, what
// its marks mean, and a caption.
// SPDX-License-Identifier: Apache-2.0

import { drawText, type Pen, type Size, type TextStyle } from "../../charts/pen";
import type { Measure } from "../../charts/svgPen";
import { captionOf } from "./caption";
import { namingFor } from "./lanes";
import { CHANGE_ENTRY, type LegendEntry, laneEntries, SAMPLE } from "./legendEntries";
import type { Painting } from "./painting";
import type { Palette } from "./palette";
import type { ChartProps } from "./usePainting";

export interface Plate {
  readonly title: string;
  /** The chart itself, drawn from its own upper left corner. */
  readonly picture: Size & { readonly draw: (pen: Pen, palette: Palette) => void };
  /** What runs from left to right, where the picture does not say it. */
  readonly axis: string | null;
  readonly legend: readonly LegendEntry[];
  /** Paragraphs. */
  readonly caption: readonly string[];
}

interface Drawn {
  readonly title: string;
  readonly painting: Painting;
  readonly legend: readonly LegendEntry[];
}

const TIME_AXIS = "Time since the demo began, min:s";

/** A chart as it is now. */
export function plateOf({ view, lanes, about }: ChartProps, drawn: Drawn, size: Size): Plate {
  const { title, painting, legend } = drawn;
  const { store } = view.feed;
  const naming = namingFor(lanes, about.blind);
  const shown_ms = painting.shown_ms();
  const timed = shown_ms !== null;
  const pictured = { now_ms: view.now_ms, shown_ms, take: store.take_number };
  return {
    title,
    picture: { ...size, draw: (pen, palette) => painting.draw(pen, size, palette, naming) },
    axis: timed ? TIME_AXIS : null,
    legend: [...laneEntries(naming.lanes), ...legend, ...(timed ? [CHANGE_ENTRY] : [])],
    caption: captionOf(about, naming, pictured, store),
  };
}

interface LaidOut extends Size {
  draw(pen: Pen): void;
}

const MARGIN_PX = 16;
const TITLE_PX = 28;
const AXIS_PX = 20;
const LINE_PX = 17;
const GAP_PX = 8;
/** Between a sample and its words, and between two of them. */
const SAMPLE_GAP_PX = 6;
const APART_PX = 20;

/** How high it is depends on how its words are broken into lines. */
export function laidOut(plate: Plate, palette: Palette, measure: Measure): LaidOut {
  const { title, picture, axis, legend, caption } = plate;
  const wide = (text: string) => measure(text, palette.font);
  const rows = rowsOf(legend, picture.width, wide);
  const paragraphs = caption.map((text) => brokenInto(text, picture.width, wide));
  const ink: TextStyle = { colour: palette.ink, font: palette.font };
  const picture_y = MARGIN_PX + TITLE_PX;
  const legend_y = picture_y + picture.height + (axis ? AXIS_PX : 0) + GAP_PX;
  const caption_y = legend_y + rows.length * LINE_PX + GAP_PX;
  const lines = paragraphs.flat();
  const size = {
    width: picture.width + 2 * MARGIN_PX,
    height: caption_y + lines.length * LINE_PX + MARGIN_PX,
  };
  return {
    ...size,
    draw(pen) {
      pen.fillStyle = palette.paper;
      pen.fillRect(0, 0, size.width, size.height);
      drawText(pen, title, MARGIN_PX, MARGIN_PX + 14, { ...ink, font: heading(palette.font) });
      at(pen, MARGIN_PX, picture_y, () => {
        pen.beginPath();
        pen.rect(0, 0, picture.width, picture.height);
        pen.clip();
        picture.draw(pen, palette);
      });
      if (axis) {
        const middle = MARGIN_PX + picture.width / 2;
        const y = picture_y + picture.height + 14;
        drawText(pen, axis, middle, y, { ...ink, align: "center" });
      }
      for (const [row, entries] of rows.entries()) {
        drawRow(pen, entries, legend_y + row * LINE_PX, ink, palette);
      }
      for (const [row, line] of lines.entries()) {
        drawText(pen, line, MARGIN_PX, caption_y + row * LINE_PX + 12, ink);
      }
    },
  };
}

const heading = (font: string): string => `600 ${font.replace(/^\d+px/, "16px")}`;

/** With the pen moved there, and as it was afterwards. */
function at(pen: Pen, x: number, y: number, draw: () => void): void {
  pen.save();
  pen.translate(x, y);
  draw();
  pen.restore();
}

interface Placed {
  readonly x: number;
  readonly text: string;
  readonly sample: LegendEntry["sample"];
}

/** As many in a row as fit; a long word about the picture has lines of its own. */
function rowsOf(
  legend: readonly LegendEntry[],
  width: number,
  wide: (text: string) => number,
): Placed[][] {
  const rows: Placed[][] = [];
  let [row, x] = [[] as Placed[], 0];
  const end = () => {
    if (row.length > 0) rows.push(row);
    row = [];
    x = 0;
  };
  for (const { text, sample } of legend) {
    const before = sample ? SAMPLE.width + SAMPLE_GAP_PX : 0;
    const whole = before + wide(text);
    if (x + whole > width) end();
    const [first = "", ...rest] = brokenInto(text, width - before, wide);
    row.push({ x, text: first, sample });
    for (const line of rest) {
      end();
      row.push({ x: before, text: line, sample: undefined });
    }
    if (rest.length > 0) end();
    else x += whole + APART_PX;
  }
  end();
  return rows;
}

function drawRow(
  pen: Pen,
  entries: readonly Placed[],
  y: number,
  ink: TextStyle,
  palette: Palette,
): void {
  for (const { x, text, sample } of entries) {
    const left = MARGIN_PX + x;
    if (sample) at(pen, left, y + (LINE_PX - SAMPLE.height) / 2, () => sample(pen, palette));
    drawText(pen, text, left + (sample ? SAMPLE.width + SAMPLE_GAP_PX : 0), y + 13, ink);
  }
}

/** A text in lines; a word that is longer than a line stays whole. */
export function brokenInto(text: string, width: number, wide: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line ? `${line} ${word}` : word;
    if (line && wide(longer) > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return [...lines, line];
}
