// The sender's connection over time, as its kernel tells: packets in flight, the
// congestion window, the retransmission timeout and how often it was doubled.
// SPDX-License-Identifier: Apache-2.0

import type { SocketState } from "../../api/generated";
import { socketStateTerms } from "../../api/generatedTerms";
import { addMark, drawText, type Pen, type Size } from "../../charts/pen";
import type { Lane } from "../feed/lane";
import type { FeedStore } from "../feed/store";
import { drawEvents, drawGround, FOOT_PX } from "./drawEvents";
import { drawLetters } from "./drawLetters";
import { type DemoLane, dashOf, keptLanes, lookOf, type Naming } from "./lanes";
import type { DrawLayer } from "./painting";
import { drawPanelLines, drawPanelNumbers, type Panel, yIn } from "./panel";
import { type Stretch, within, xOf } from "./stretch";

export const SOCKETS_PX = 350;
const HEAD_PX = 52;
const BETWEEN_PX = 22;

export interface SocketReach {
  readonly in_flight: number;
  readonly cwnd: number;
  readonly rto_ms: number;
}

export interface SocketsModel extends Partial<Naming> {
  readonly store: FeedStore;
  readonly lanes: readonly DemoLane[];
  readonly now_ms: number;
  readonly shown_ms: number;
  /** What fills the height of each panel. */
  readonly reach: SocketReach;
}

const LEAST_RTO_MS = 100;

interface SocketPanel extends Panel {
  readonly of: (state: SocketState) => number;
}

function panelsOf({ reach }: SocketsModel, size: Size): SocketPanel[] {
  const room = size.height - FOOT_PX - HEAD_PX - 2 * BETWEEN_PX;
  const parts = [
    [socketStateTerms.in_flight.title, reach.in_flight, (state: SocketState) => state.in_flight],
    [
      `${socketStateTerms.snd_cwnd.title} (cwnd), packets`,
      reach.cwnd,
      (state: SocketState) => state.snd_cwnd,
    ],
    ["Retransmission timeout (RTO), ms", reach.rto_ms, (state: SocketState) => state.rto_ms],
  ] as const;
  return parts.map(([title, most, of], index) => {
    const top = HEAD_PX + index * (room / 3 + BETWEEN_PX);
    const logarithmic = index === 2;
    return {
      title,
      top,
      bottom: top + room / 3,
      scale: { least: logarithmic ? LEAST_RTO_MS : 0, most, logarithmic },
      most_ticks: 3,
      of,
    };
  });
}

export const drawSocketsStretch: DrawLayer<SocketsModel> = (pen, model, stretch, size, palette) => {
  const width = (stretch.to_ms - stretch.from_ms) * stretch.px_per_ms;
  drawGround(pen, stretch, size.height, palette);
  for (const panel of panelsOf(model, size)) {
    drawPanelLines(pen, panel, width, palette);
    for (const [lane, kept] of keptLanes(model.lanes, model.store)) {
      pen.strokeStyle = palette.lanes[lookOf(lane)] ?? palette.ink;
      pen.lineWidth = 1.6;
      pen.setLineDash([...dashOf(lane)]);
      drawSteps(pen, kept, panel, stretch);
    }
  }
  drawBackoffs(pen, model, stretch, size, palette);
};

const statesIn = ({ sockets }: Lane, stretch: Stretch): Iterable<SocketState> =>
  within(sockets, ({ at_ms }) => at_ms, stretch);

/** A value holds until the next one was read. */
function drawSteps(pen: Pen, lane: Lane, panel: SocketPanel, stretch: Stretch): void {
  let last_y: number | null = null;
  pen.beginPath();
  for (const state of statesIn(lane, stretch)) {
    const x = xOf(state.at_ms, stretch);
    const y = yIn(panel, panel.of(state));
    if (last_y === null) pen.moveTo(x, y);
    else if (y !== last_y) {
      pen.lineTo(x, last_y);
      pen.lineTo(x, y);
    }
    last_y = y;
  }
  if (last_y !== null) pen.lineTo(xOf(Math.min(stretch.to_ms, stretch.now_ms), stretch), last_y);
  pen.stroke();
}

/** A triangle where a timer was doubled, with how often by then. */
const drawBackoffs: DrawLayer<SocketsModel> = (pen, model, stretch, size, palette) => {
  const panel = panelsOf(model, size)[2];
  if (!panel) return;
  for (const [lane, kept] of keptLanes(model.lanes, model.store)) {
    const colour = palette.lanes[lookOf(lane)] ?? palette.ink;
    let before = 0;
    for (const state of statesIn(kept, stretch)) {
      if (state.backoff > before) {
        const x = xOf(state.at_ms, stretch);
        const y = yIn(panel, state.rto_ms);
        pen.fillStyle = colour;
        pen.beginPath();
        addMark(pen, "triangle", x, y, 4);
        pen.fill();
        drawText(pen, `×${2 ** state.backoff}`, x + 6, y + 4, {
          colour,
          font: palette.font,
          halo: palette.paper,
        });
      }
      before = state.backoff;
    }
  }
};

export const drawSocketsOver: DrawLayer<SocketsModel> = (pen, model, stretch, size, palette) => {
  for (const panel of panelsOf(model, size)) {
    drawPanelNumbers(pen, panel, palette);
    const newest = ({ sockets }: Lane) => {
      const state = sockets.at(sockets.lowerBound(({ at_ms }) => at_ms, stretch.now_ms) - 1);
      return state ? panel.of(state) : null;
    };
    drawLetters(pen, panel, keptLanes(model.lanes, model.store), newest, size.width, palette);
  }
  drawEvents(pen, model, stretch, size, palette);
};

/** The highest of each value between two instants. */
export function socketReach(store: FeedStore, from_ms: number, to_ms: number): SocketReach {
  let [in_flight, cwnd, rto_ms] = [0, 0, 0];
  for (const { sockets } of store.lanes) {
    for (
      let index = Math.max(0, sockets.lowerBound(({ at_ms }) => at_ms, from_ms) - 1);
      index < sockets.length;
      index++
    ) {
      const state = sockets.at(index);
      if (!state || state.at_ms > to_ms) break;
      in_flight = Math.max(in_flight, state.in_flight);
      cwnd = Math.max(cwnd, state.snd_cwnd);
      rto_ms = Math.max(rto_ms, state.rto_ms);
    }
  }
  return { in_flight, cwnd, rto_ms };
}
