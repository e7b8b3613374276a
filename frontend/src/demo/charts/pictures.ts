// The three charts that move with time, ready to be painted: each keeps its scale
// steady from frame to frame.
// SPDX-License-Identifier: Apache-2.0
import { drawLadderOver, drawLadderStretch, type LadderModel } from "./drawLadder";
import {
  drawLatencyOver,
  drawLatencyStretch,
  type LatencyModel,
  latencyReach,
} from "./drawLatency";
import {
  drawSocketsOver,
  drawSocketsStretch,
  type SocketReach,
  type SocketsModel,
  socketReach,
} from "./drawSockets";
import { bufferReach_ms } from "./drawSound";
import type { DemoLane } from "./lanes";
import type { TimePicture } from "./painting";
import { roundDown, steadyMost, type ValueScale } from "./scales";
import type { ChartView } from "./view";

/** What a page may change while a picture is shown. */
export interface Settings {
  lanes: readonly DemoLane[];
}

export interface LadderSettings extends Settings {
  /** Whether the stream is one that is heard. */
  sound: boolean;
}

export interface ScaleSettings extends Settings {
  logarithmic: boolean;
}

const namesOf = (lanes: readonly DemoLane[]): string =>
  lanes.map(({ lane, letter, name }) => `${lane} ${letter} ${name}`).join();

/** Calls `measure` when there may be something new to measure, not every frame. */
function seldom<Value>(view: ChartView, measure: (now_ms: number) => Value) {
  const EVERY_MS = 250;
  let measured: { at_ms: number; take: number; value: Value } | null = null;
  return (now_ms: number): Value => {
    const take = view.feed.store.take_number;
    const old = !measured || Math.abs(now_ms - measured.at_ms) >= EVERY_MS;
    if (!measured || old || measured.take !== take) {
      measured = { at_ms: now_ms, take, value: measure(now_ms) };
    }
    return measured.value;
  };
}

/** What the models of all three begin with. */
const shownBy =
  ({ feed: { store } }: ChartView, { lanes }: Settings, shown_ms: () => number) =>
  (now_ms: number) => ({ store, lanes, now_ms, shown_ms: shown_ms() });

export function ladderPicture(view: ChartView, settings: LadderSettings): TimePicture<LadderModel> {
  const { store } = view.feed;
  const shown_ms = () => view.shown().ladder_ms;
  const shown = shownBy(view, settings, shown_ms);
  let most_ms = 0;
  const measure = seldom(view, (now_ms) => {
    const highest_ms = bufferReach_ms(store, now_ms - 60_000, now_ms);
    most_ms = steadyMost(most_ms, highest_ms, 50);
    return most_ms;
  });
  const buffer_most_ms = (now_ms: number) => (settings.sound ? measure(now_ms) : null);
  return {
    shown_ms,
    look: (now_ms) => {
      const { chosen } = view.shown();
      const heard = settings.lanes.findIndex((lane) => lane.heard);
      const picked = `${heard} ${chosen?.lane} ${chosen?.number}`;
      return `${namesOf(settings.lanes)} ${picked} ${buffer_most_ms(now_ms)}`;
    },
    model: (now_ms) => ({
      ...shown(now_ms),
      chosen: view.shown().chosen,
      buffer_most_ms: buffer_most_ms(now_ms),
    }),
    drawStretch: drawLadderStretch,
    drawOver: drawLadderOver,
  };
}

/** Of what was, on a scale that its model measures now and then. */
function historyPicture<Measured extends object>(
  view: ChartView,
  settings: Settings,
  measured: (now_ms: number) => Measured,
) {
  const shown_ms = () => view.shown().history_ms;
  const shown = shownBy(view, settings, shown_ms);
  return {
    shown_ms,
    look: (now_ms: number) => `${namesOf(settings.lanes)} ${JSON.stringify(measured(now_ms))}`,
    model: (now_ms: number) => ({ ...shown(now_ms), ...measured(now_ms) }),
  };
}

export function latencyPicture(
  view: ChartView,
  settings: ScaleSettings,
): TimePicture<LatencyModel> {
  const { store } = view.feed;
  let [most, least] = [0, 0];
  const measure = seldom(view, (now_ms) => {
    const reach = latencyReach(store, now_ms - view.shown().history_ms, now_ms);
    most = steadyMost(most, reach?.most_ms ?? 0, 100);
    least = roundDown(Math.max(0.1, reach?.least_ms ?? 10));
    return { most, least };
  });
  const scaleOf = (now_ms: number): ValueScale => {
    const { most, least } = measure(now_ms);
    const { logarithmic } = settings;
    return { least: logarithmic ? Math.min(least, most / 10) : 0, most, logarithmic };
  };
  return {
    ...historyPicture(view, settings, (now_ms) => ({ scale: scaleOf(now_ms) })),
    drawStretch: drawLatencyStretch,
    drawOver: drawLatencyOver,
  };
}

export function socketsPicture(view: ChartView, settings: Settings): TimePicture<SocketsModel> {
  const { store } = view.feed;
  let reach: SocketReach = { in_flight: 0, cwnd: 0, rto_ms: 0 };
  const measure = seldom(view, (now_ms) => {
    const found = socketReach(store, now_ms - view.shown().history_ms, now_ms);
    reach = {
      in_flight: steadyMost(reach.in_flight, found.in_flight, 5),
      cwnd: steadyMost(reach.cwnd, found.cwnd, 10),
      rto_ms: steadyMost(reach.rto_ms, found.rto_ms, 1_000),
    };
    return reach;
  });
  return {
    ...historyPicture(view, settings, (now_ms) => ({ reach: measure(now_ms) })),
    drawStretch: drawSocketsStretch,
    drawOver: drawSocketsOver,
  };
}
