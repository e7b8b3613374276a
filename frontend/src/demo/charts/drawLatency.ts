// Latency over time: how late each message was for the application as a line,
// how late its packets were as dots, at the instant at which it was sent.
// SPDX-License-Identifier: Apache-2.0

import type { MessagePassage } from "../../api/generated";
import { addMark, type Pen, type Size } from "../../charts/pen";
import type { Lane } from "../feed/lane";
import type { FeedStore } from "../feed/store";
import { drawEvents, drawGround, FOOT_PX } from "./drawEvents";
import { drawLetters } from "./drawLetters";
import { type DemoLane, dashOf, keptLanes, lookOf, type Naming } from "./lanes";
import type { DrawLayer } from "./painting";
import { drawPanelLines, drawPanelNumbers, type Panel, yIn } from "./panel";
import type { ValueScale } from "./scales";
import { type Stretch, within, xOf } from "./stretch";
import { type Point, thinned } from "./thinning";

export const LATENCY_PX = 240;
const HEAD_PX = 52;

export interface LatencyModel extends Partial<Naming> {
  readonly store: FeedStore;
  readonly lanes: readonly DemoLane[];
  readonly now_ms: number;
  readonly shown_ms: number;
  readonly scale: ValueScale;
}

/** What a terminal's lanes have instead of messages that someone waits for. */
const hasEchoes = (store: FeedStore): boolean =>
  store.lanes.some(({ echoes }) => echoes.length > 0);

const panelOf = ({ scale, store }: LatencyModel, size: Size): Panel => ({
  top: HEAD_PX,
  bottom: size.height - FOOT_PX,
  scale,
  title: hasEchoes(store) ? "Echo of each key, ms" : "Latency of each message, ms",
});

export const drawLatencyStretch: DrawLayer<LatencyModel> = (pen, model, stretch, size, palette) => {
  const panel = panelOf(model, size);
  drawGround(pen, stretch, size.height, palette);
  drawPanelLines(pen, panel, (stretch.to_ms - stretch.from_ms) * stretch.px_per_ms, palette);
  for (const [lane, kept] of keptLanes(model.lanes, model.store)) {
    const colour = palette.lanes[lookOf(lane)] ?? palette.ink;
    pen.fillStyle = colour;
    pen.strokeStyle = colour;
    if (kept.echoes.length > 0) {
      drawEchoes(pen, kept, panel, stretch);
      continue;
    }
    drawTransport(pen, kept, panel, stretch);
    pen.lineWidth = 1.8;
    pen.lineJoin = "round";
    pen.setLineDash([...dashOf(lane)]);
    drawApplication(pen, kept, panel, stretch);
  }
};

const sentOf = ({ sent_ms }: MessagePassage) => sent_ms;

function drawApplication(pen: Pen, lane: Lane, panel: Panel, stretch: Stretch): void {
  let open = false;
  let previous = -1;
  let points: Point[] = [];
  const flush = () => {
    for (const { x, y } of thinned(points, 1)) {
      if (open) pen.lineTo(x, y);
      else pen.moveTo(x, y);
      open = true;
    }
    points = [];
    open = false;
  };
  pen.beginPath();
  for (const { number, sent_ms, available_ms } of within(lane.messages, sentOf, stretch)) {
    if (available_ms > stretch.now_ms) continue;
    // Where messages were never written, no line tells of them.
    if (previous >= 0 && number !== previous + 1) flush();
    previous = number;
    points.push({ x: xOf(sent_ms, stretch), y: yIn(panel, available_ms - sent_ms) });
  }
  flush();
  pen.stroke();
}

function drawTransport(pen: Pen, lane: Lane, panel: Panel, stretch: Stretch): void {
  const points: Point[] = [];
  for (const { sent_ms, arrived_ms } of within(lane.messages, sentOf, stretch)) {
    if (arrived_ms > stretch.now_ms) continue;
    points.push({ x: xOf(sent_ms, stretch), y: yIn(panel, arrived_ms - sent_ms) });
  }
  pen.globalAlpha = 0.45;
  for (const { x, y } of thinned(points, 2)) pen.fillRect(x - 1, y - 1, 2, 2);
  pen.globalAlpha = 1;
}

function drawEchoes(pen: Pen, lane: Lane, panel: Panel, stretch: Stretch): void {
  pen.setLineDash([]);
  pen.lineWidth = 1;
  pen.beginPath();
  for (const { written_ms, shown_ms } of within(lane.echoes, (echo) => echo.written_ms, stretch)) {
    if (shown_ms > stretch.now_ms) continue;
    const x = xOf(written_ms, stretch);
    const y = yIn(panel, shown_ms - written_ms);
    pen.moveTo(x, panel.bottom);
    pen.lineTo(x, y);
    addMark(pen, "circle", x, y, 3);
  }
  pen.stroke();
  pen.fill();
}

export const drawLatencyOver: DrawLayer<LatencyModel> = (pen, model, stretch, size, palette) => {
  const panel = panelOf(model, size);
  drawPanelNumbers(pen, panel, palette);
  const newest = (lane: Lane) => newest_ms(lane, stretch.now_ms);
  drawLetters(pen, panel, keptLanes(model.lanes, model.store), newest, size.width, palette);
  drawEvents(pen, model, stretch, size, palette);
};

/** How late the newest thing was, for the letter at the end of a line. */
function newest_ms(lane: Lane, now_ms: number): number | null {
  for (let index = lane.echoes.length - 1; index >= 0; index--) {
    const echo = lane.echoes.at(index);
    if (echo && echo.shown_ms <= now_ms) return echo.shown_ms - echo.written_ms;
  }
  const { messages } = lane;
  for (let index = messages.lowerBound(sentOf, now_ms) - 1; index >= 0; index--) {
    const message = messages.at(index);
    if (message && message.available_ms <= now_ms) return message.available_ms - message.sent_ms;
  }
  return null;
}

/** The highest and lowest latency between two instants; null: nothing there. */
export function latencyReach(
  store: FeedStore,
  from_ms: number,
  to_ms: number,
): { readonly least_ms: number; readonly most_ms: number } | null {
  let least_ms = Number.POSITIVE_INFINITY;
  let most_ms = 0;
  const see = (latency_ms: number) => {
    least_ms = Math.min(least_ms, latency_ms);
    most_ms = Math.max(most_ms, latency_ms);
  };
  for (const { messages, echoes } of store.lanes) {
    for (let index = messages.lowerBound(sentOf, from_ms); index < messages.length; index++) {
      const message = messages.at(index);
      if (!message || message.sent_ms > to_ms) break;
      // The dots too, which are never above the line.
      if (echoes.length === 0) see(message.available_ms - message.sent_ms);
      if (echoes.length === 0) see(message.arrived_ms - message.sent_ms);
    }
    for (let index = 0; index < echoes.length; index++) {
      const echo = echoes.at(index);
      if (echo && echo.written_ms >= from_ms && echo.written_ms <= to_ms) {
        see(echo.shown_ms - echo.written_ms);
      }
    }
  }
  return most_ms > 0 ? { least_ms, most_ms } : null;
}
