// What the charts' marks mean: each with a sample drawn as the charts draw it, for the
// page and for what is saved of it.
// SPDX-License-Identifier: Apache-2.0
import type { PlayoutEventKind } from "../../api/generated";
import { addMark, type Pen } from "../../charts/pen";
import { drawPassage, SOUND_LOOKS } from "./drawSound";
import { type DemoLane, dashOf, lookOf, titleOf } from "./lanes";
import { LOOK_NAMES, LOOKS, LOST_DASH, type PacketLook } from "./packetLook";
import type { Palette } from "./palette";

export interface LegendEntry {
  readonly text: string;
  /** Draws the sample; without one, the text says where to look. */
  readonly sample?: (pen: Pen, palette: Palette) => void;
}

export const SAMPLE = { width: 30, height: 12 } as const;
const MIDDLE = SAMPLE.height / 2;

const line = (pen: Pen, to = SAMPLE.width - 1): void => {
  pen.beginPath();
  pen.moveTo(1, MIDDLE);
  pen.lineTo(to, MIDDLE);
  pen.stroke();
};

/** A line of one of the lanes' colours. */
export const lineEntry = (text: string, look: number, dash: readonly number[]): LegendEntry => ({
  text,
  sample: (pen, palette) => {
    pen.strokeStyle = palette.lanes[look] ?? palette.ink;
    pen.lineWidth = 2.5;
    pen.setLineDash([...dash]);
    line(pen);
  },
});

export const laneEntries = (lanes: readonly DemoLane[]): LegendEntry[] =>
  lanes.map((lane) => lineEntry(titleOf(lane), lookOf(lane), dashOf(lane)));

function samplePacket(look: PacketLook, pen: Pen, palette: Palette): void {
  const { colour, shape, dash, width } = LOOKS[look];
  pen.strokeStyle = palette[colour];
  pen.fillStyle = palette[colour];
  pen.lineWidth = width;
  pen.setLineDash([...dash]);
  line(pen);
  if (!shape) return;
  pen.setLineDash([]);
  pen.beginPath();
  addMark(pen, shape, 9, shape === "downDotted" ? MIDDLE - 1 : MIDDLE, 3.4);
  if (shape !== "bar") pen.fill();
  if (shape === "bar" || shape === "downDotted") pen.stroke();
}

function sampleLost(pen: Pen, palette: Palette): void {
  pen.strokeStyle = palette.packetNew;
  pen.lineWidth = LOOKS.new.width;
  pen.setLineDash([...LOST_DASH]);
  line(pen, 20);
  pen.strokeStyle = palette.packetLost;
  pen.lineWidth = 2;
  pen.setLineDash([]);
  pen.beginPath();
  addMark(pen, "cross", 23, MIDDLE, 4);
  pen.stroke();
}

export const PACKET_ENTRIES: readonly LegendEntry[] = [
  ...LOOK_NAMES.map((look) => ({
    text: LOOKS[look].name,
    sample: (pen: Pen, palette: Palette) => samplePacket(look, pen, palette),
  })),
  { text: "Lost: ends at the emulator", sample: sampleLost },
];

/** What has no length. */
const IN_THE_MIDDLE: ReadonlySet<PlayoutEventKind> = new Set(["dropped", "damaged"]);
const PASSAGE_MS = SAMPLE.width - 2;
const ROW = { top: 0, bottom: SAMPLE.height };
const PLACE = { from_ms: 0, to_ms: SAMPLE.width, px_per_ms: 1, now_ms: SAMPLE.width };

export const SOUND_ENTRIES: readonly LegendEntry[] = [
  ...(Object.keys(SOUND_LOOKS) as PlayoutEventKind[]).map((kind) => ({
    text: SOUND_LOOKS[kind].name,
    sample: (pen: Pen, palette: Palette) => {
      const at_ms = IN_THE_MIDDLE.has(kind) ? SAMPLE.width / 2 : 1;
      drawPassage(pen, { kind, at_ms, length_ms: PASSAGE_MS }, ROW, PLACE, palette);
    },
  })),
  { text: "Line: sound in store" },
];

/** On charts of time; a page shows each with its words beside it. */
export const CHANGE_ENTRY: LegendEntry = {
  text: "What was changed or marked",
  sample: (pen, palette) => {
    pen.strokeStyle = palette.accent;
    pen.lineWidth = 1.5;
    pen.setLineDash([3, 3]);
    pen.beginPath();
    pen.moveTo(SAMPLE.width / 2, 0);
    pen.lineTo(SAMPLE.width / 2, SAMPLE.height);
    pen.stroke();
  },
};
