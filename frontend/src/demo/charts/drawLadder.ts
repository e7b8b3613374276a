// The packet ladder: three rails a lane, each packet a line from rail to rail, and
// right beneath them what the receiver made of it for the ear.
// SPDX-License-Identifier: Apache-2.0

import { addMark, drawText, type Pen } from "../../charts/pen";
import type { Packet } from "../feed/lane";
import type { FeedStore } from "../feed/store";
import { drawEvents, drawGround } from "./drawEvents";
import { drawSoundRow, drawSoundWords } from "./drawSound";
import { type Line, LONGEST_FLIGHT_MS, lineOf, type Rails, railsOf } from "./ladderGeometry";
import { type DemoLane, dashOf, heardTitleOf, keptLanes, lookOf, type Naming } from "./lanes";
import {
  carriedBytes,
  LOOK_NAMES,
  LOOKS,
  LOST_DASH,
  lookOfPacket,
  type PacketLook,
} from "./packetLook";
import type { DrawLayer } from "./painting";
import type { Palette } from "./palette";
import type { Stretch } from "./stretch";
import type { ChosenPacket } from "./view";

export interface LadderModel extends Partial<Naming> {
  readonly store: FeedStore;
  readonly lanes: readonly DemoLane[];
  readonly now_ms: number;
  readonly shown_ms: number;
  readonly chosen: ChosenPacket | null;
  /** What fills the height of a row of sound; null: the stream is none that is heard. */
  readonly buffer_most_ms: number | null;
}

const MARK_PX = 3.2;
/** Where a second is narrower than this, lines and marks are thinner. */
const ROOMY_PX_PER_MS = 0.4;
const THINNEST = 0.5;
/** A full segment over Ethernet: the highest bar. */
const FULL_BYTES = 1_460;
const BAR_LEAST_PX = 3;
const BAR_MOST_PX = 20;

const ORDINARY: ReadonlySet<PacketLook> = new Set(["new", "bundle", "duplicate", "selective"]);

interface Drawn {
  readonly packet: Packet;
  readonly line: Line;
}

/** What lies in a stretch of time. */
export const drawLadderStretch: DrawLayer<LadderModel> = (pen, model, stretch, size, palette) => {
  const { store, lanes, buffer_most_ms } = model;
  drawGround(pen, stretch, size.height, palette);
  for (const [place, [lane, kept]] of keptLanes(lanes, store).entries()) {
    const rails = railsOf(place, buffer_most_ms !== null);
    drawRails(pen, place, rails, stretch, palette);
    if (buffer_most_ms !== null) {
      drawSoundRow(pen, kept, lane, rails.sound, buffer_most_ms, stretch, palette);
    }
    const rows = new Map<PacketLook, Drawn[]>();
    // Marks reach a little over the edge.
    const [from_ms, to_ms] = [
      stretch.from_ms - 12 / stretch.px_per_ms,
      stretch.to_ms + 12 / stretch.px_per_ms,
    ];
    for (const packet of kept.packetsBetween(from_ms, to_ms, LONGEST_FLIGHT_MS)) {
      const line = lineOf(packet, kept, rails, stretch);
      if (!line) continue;
      const look = lookOfPacket(packet);
      const row = rows.get(look);
      if (row) row.push({ packet, line });
      else rows.set(look, [{ packet, line }]);
    }
    const lost: Line[] = [];
    for (const look of LOOK_NAMES) {
      const row = rows.get(look);
      if (row) drawRow(pen, look, row, fineness(stretch), palette, lost);
    }
    drawLost(pen, lost, palette);
  }
};

function drawRails(
  pen: Pen,
  place: number,
  { top, sender, emulator, receiver }: Rails,
  stretch: Stretch,
  palette: Palette,
): void {
  const width = (stretch.to_ms - stretch.from_ms) * stretch.px_per_ms;
  pen.setLineDash([]);
  pen.lineWidth = 1.5;
  pen.strokeStyle = palette.edge;
  pen.beginPath();
  for (const y of [sender, receiver]) {
    pen.moveTo(0, y);
    pen.lineTo(width, y);
  }
  pen.stroke();
  pen.lineWidth = 1;
  pen.strokeStyle = palette.line;
  pen.beginPath();
  for (const y of place > 0 ? [top, emulator] : [emulator]) {
    pen.moveTo(0, y);
    pen.lineTo(width, y);
  }
  pen.stroke();
}

const fineness = ({ px_per_ms }: Stretch): number =>
  Math.min(1, Math.max(THINNEST, px_per_ms / ROOMY_PX_PER_MS));

/** One path for all packets of a kind: a stroke costs more than its lines. */
function drawRow(
  pen: Pen,
  look: PacketLook,
  row: readonly Drawn[],
  fine: number,
  palette: Palette,
  lost: Line[],
): void {
  const { colour, width, dash, shape, faint } = LOOKS[look];
  const missing = row.filter(({ line }) => line.outcome === "lost");
  pen.strokeStyle = palette[colour];
  pen.fillStyle = palette[colour];
  // What is seldom is as easily seen however much is shown.
  const scale = ORDINARY.has(look) ? fine : 1;
  pen.lineWidth = width * scale;
  pen.globalAlpha = faint ? 0.6 : 1;
  for (const [lines, pattern] of [
    [row.filter(({ line }) => line.outcome !== "lost"), dash],
    [missing, LOST_DASH],
  ] as const) {
    if (lines.length === 0) continue;
    pen.setLineDash([...pattern]);
    pen.beginPath();
    for (const { line } of lines) {
      pen.moveTo(line.x1, line.y1);
      pen.lineTo(line.x2, line.y2);
    }
    pen.stroke();
  }
  pen.globalAlpha = 1;
  for (const { line } of missing) lost.push(line);
  if (shape) {
    pen.beginPath();
    for (const { line } of row) addMark(pen, shape, line.x1, line.y1, MARK_PX * scale);
    if (shape !== "bar") pen.fill();
    if (shape === "bar" || shape === "downDotted") {
      pen.setLineDash([]);
      pen.stroke();
    }
  }
  if (look === "bundle") drawCarried(pen, row, 3 * fine);
}

/** Bars outwards from the rail, as high as there is old payload in a bundle. */
function drawCarried(pen: Pen, row: readonly Drawn[], wide: number): void {
  for (const { packet, line } of row) {
    const share = Math.min(1, carriedBytes(packet) / FULL_BYTES);
    const high = BAR_LEAST_PX + share * (BAR_MOST_PX - BAR_LEAST_PX);
    const gap = MARK_PX + 1;
    const y = packet.forward ? line.y1 - gap - high : line.y1 + gap;
    pen.fillRect(line.x1 - wide / 2, y, wide, high);
  }
}

function drawLost(pen: Pen, lines: readonly Line[], palette: Palette): void {
  if (lines.length === 0) return;
  pen.strokeStyle = palette.packetLost;
  pen.lineWidth = 2;
  pen.setLineDash([]);
  pen.beginPath();
  for (const { x2, y2 } of lines) addMark(pen, "cross", x2, y2, 4);
  pen.stroke();
}

/** What does not move with time, and what is chosen. */
export const drawLadderOver: DrawLayer<LadderModel> = (pen, model, stretch, size, palette) => {
  const { store, lanes, chosen, buffer_most_ms } = model;
  const sound = buffer_most_ms !== null;
  if (chosen) drawChosen(pen, model, chosen, stretch, palette);
  const soft = { colour: palette.inkSoft, font: palette.font, halo: palette.paper };
  for (const [place, [lane, kept]] of keptLanes(lanes, store).entries()) {
    const rails = railsOf(place, sound);
    const { top, sender, emulator, receiver } = rails;
    const colour = palette.lanes[lookOf(lane)] ?? palette.ink;
    pen.strokeStyle = colour;
    pen.lineWidth = 3;
    pen.setLineDash([...dashOf(lane)]);
    pen.beginPath();
    pen.moveTo(6, top + 10);
    pen.lineTo(34, top + 10);
    pen.stroke();
    drawText(pen, heardTitleOf(lane), 40, top + 14, {
      colour,
      font: `600 ${palette.font}`,
      halo: palette.paper,
    });
    drawText(pen, "Sender", 6, sender - 5, soft);
    drawText(pen, "Emulator", 6, emulator - 4, soft);
    drawText(pen, "Receiver", 6, receiver - 5, soft);
    if (sound) drawSoundWords(pen, kept, rails.sound, buffer_most_ms, stretch, size, palette);
  }
  drawEvents(pen, model, stretch, size, palette, 1);
};

function drawChosen(
  pen: Pen,
  { store, lanes, buffer_most_ms }: LadderModel,
  chosen: ChosenPacket,
  stretch: Stretch,
  palette: Palette,
): void {
  const kept = keptLanes(lanes, store);
  const place = kept.findIndex(([{ lane }]) => lane === chosen.lane);
  const lane = kept[place]?.[1];
  const packet = lane?.packet(chosen.number);
  const rails = railsOf(place, buffer_most_ms !== null);
  const line = lane && packet && lineOf(packet, lane, rails, stretch);
  if (!line) return;
  pen.setLineDash([]);
  pen.strokeStyle = palette.ink;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.moveTo(line.x1 + 8, line.y1);
  pen.arc(line.x1, line.y1, 8, 0, 2 * Math.PI);
  pen.stroke();
  pen.globalAlpha = 0.25;
  pen.lineWidth = 8;
  pen.beginPath();
  pen.moveTo(line.x1, line.y1);
  pen.lineTo(line.x2, line.y2);
  pen.stroke();
  pen.globalAlpha = 1;
}
