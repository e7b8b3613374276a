// Running distributions of latency: of each lane the whole take and its last
// minute, the points as the agent chose them.
// SPDX-License-Identifier: Apache-2.0

import type { CdfPoint, LaneFigures, LatencyDistribution } from "../../api/generated";
import { drawText, type Pen, type Size } from "../../charts/pen";
import type { FeedStore } from "../feed/store";
import { drawLastEvent, FOOT_PX } from "./drawEvents";
import { type DemoLane, dashOf, keptLanes, lookOf, type Naming } from "./lanes";
import type { Palette } from "./palette";
import { numberText } from "./panel";
import { heightOf, roundDown, roundUp, ticksOf, type ValueScale } from "./scales";

export const CDF_PX = 316;
const HEAD_PX = 22;
const AXIS_PX = 36;
const LEFT_PX = 42;
const RIGHT_PX = 18;
const SHARES = [0, 0.25, 0.5, 0.75, 1];

export type LatencyOf = "application" | "transport" | "felt";
export type WeightedBy = "message" | "byte";

export interface CdfModel extends Partial<Naming> {
  readonly store: FeedStore;
  readonly lanes: readonly DemoLane[];
  readonly now_ms: number;
  readonly of: LatencyOf;
  readonly weighted: WeightedBy;
  readonly logarithmic: boolean;
}

/** The distribution that a choice means; what is felt is always of messages. */
export function distributionOf(
  figures: LaneFigures,
  of: LatencyOf,
  weighted: WeightedBy,
): LatencyDistribution {
  if (of === "felt") return figures.felt.sojourn;
  const { per_byte, per_message } = figures.metrics[of];
  return weighted === "byte" ? per_byte : per_message;
}

/** One line of the picture. */
export interface Curve {
  readonly label: string;
  /** Which of the lanes' colours. */
  readonly look: number;
  readonly dash: readonly number[];
  readonly distribution: LatencyDistribution;
  readonly points: readonly CdfPoint[];
  /** Thick, and with its label beside it at this share; null: thin. */
  readonly label_share: number | null;
}

export type CdfChoice = Pick<CdfModel, "of" | "weighted" | "logarithmic">;

function curvesOf({ store, lanes, of, weighted }: CdfModel): Curve[] {
  const curves: Curve[] = [];
  for (const [lane, { figures }] of keptLanes(lanes, store)) {
    if (!figures) continue;
    const look = lookOf(lane);
    for (const [part, label_share] of [
      [figures.last_minute, null],
      // Every one at a height of its own.
      [figures.whole, 0.9 - 0.12 * look],
    ] as const) {
      if (!part) continue;
      const distribution = distributionOf(part, of, weighted);
      const points = distribution.cdf ?? [];
      if (points.length === 0) continue;
      const dash = dashOf(lane);
      curves.push({ label: lane.letter, look, dash, distribution, points, label_share });
    }
  }
  return curves;
}

function scaleOf(curves: readonly Curve[], logarithmic: boolean): ValueScale {
  const lowest = Math.min(...curves.map(({ distribution }) => distribution.min_us / 1000));
  const highest = Math.max(...curves.map(({ distribution }) => distribution.max_us / 1000));
  if (!logarithmic) return { least: 0, most: roundUp(highest), logarithmic };
  const least = roundDown(Math.max(lowest, 0.1));
  return { least, most: Math.max(roundUp(highest), least * 10), logarithmic };
}

export function drawCdf(pen: Pen, model: CdfModel, size: Size, palette: Palette): void {
  const curves = curvesOf(model);
  drawCurves(pen, curves, model, "The first figures come after a second.", size, palette);
  if (curves.length > 0) drawLastEvent(pen, model, LEFT_PX, size, palette);
}

/** Any curves; `none`: what is said where there are none. */
export function drawCurves(
  pen: Pen,
  curves: readonly Curve[],
  choice: CdfChoice,
  none: string,
  size: Size,
  palette: Palette,
): void {
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, size.width, size.height);
  if (curves.length === 0) {
    drawText(pen, none, 12, 40, { colour: palette.inkSoft, font: palette.font });
    return;
  }
  const plot = {
    left: LEFT_PX,
    right: size.width - RIGHT_PX,
    top: HEAD_PX,
    bottom: size.height - FOOT_PX - AXIS_PX,
  };
  const scale = scaleOf(curves, choice.logarithmic);
  const x = (latency_us: number) =>
    plot.left + heightOf(latency_us / 1000, scale) * (plot.right - plot.left);
  const y = (share: number) => plot.bottom - share * (plot.bottom - plot.top);
  drawAxes(pen, choice, scale, plot, x, y, palette);
  for (const { look, dash, points, label_share } of curves) {
    pen.strokeStyle = palette.lanes[look] ?? palette.ink;
    pen.lineWidth = label_share === null ? 1.2 : 2.4;
    pen.globalAlpha = label_share === null ? 0.8 : 1;
    pen.setLineDash([...dash]);
    pen.beginPath();
    pen.moveTo(x(points[0]?.latency_us ?? 0), y(0));
    let last_y = y(0);
    for (const { latency_us, share } of points) {
      pen.lineTo(x(latency_us), last_y);
      last_y = y(share);
      pen.lineTo(x(latency_us), last_y);
    }
    pen.stroke();
    pen.globalAlpha = 1;
  }
  drawLabels(pen, curves, x, y, palette);
}

interface Plot {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

type Place = (value: number) => number;

const AXES: Readonly<Record<LatencyOf, string>> = {
  application: "Application latency, ms",
  transport: "Transport latency, ms",
  felt: "From the application's write to its read, ms",
};
const SHARED: Readonly<Record<WeightedBy, string>> = {
  message: "Share of messages that are at most so late",
  byte: "Share of bytes that are at most so late",
};

function drawAxes(
  pen: Pen,
  choice: CdfChoice,
  scale: ValueScale,
  plot: Plot,
  x: Place,
  y: Place,
  palette: Palette,
): void {
  const soft = { colour: palette.inkSoft, font: palette.font };
  const ticks = ticksOf(scale, plot.right - plot.left > 500 ? 8 : 4);
  pen.setLineDash([]);
  pen.strokeStyle = palette.line;
  pen.lineWidth = 1;
  pen.beginPath();
  for (const tick of ticks) {
    pen.moveTo(x(tick * 1000), plot.top);
    pen.lineTo(x(tick * 1000), plot.bottom);
  }
  for (const share of SHARES) {
    pen.moveTo(plot.left, y(share));
    pen.lineTo(plot.right, y(share));
  }
  pen.stroke();
  for (const tick of ticks) {
    drawText(pen, numberText(tick), x(tick * 1000), plot.bottom + 15, { ...soft, align: "center" });
  }
  for (const share of SHARES) {
    drawText(pen, `${share * 100} %`, plot.left - 5, y(share) + 4, { ...soft, align: "right" });
  }
  const ink = { ...soft, colour: palette.ink };
  const shared = SHARED[choice.of === "felt" ? "message" : choice.weighted];
  drawText(pen, shared, plot.left, plot.top - 8, ink);
  const middle = (plot.left + plot.right) / 2;
  drawText(pen, AXES[choice.of], middle, plot.bottom + 31, { ...ink, align: "center" });
}

/** Beside the thick curves. */
function drawLabels(
  pen: Pen,
  curves: readonly Curve[],
  x: Place,
  y: Place,
  palette: Palette,
): void {
  for (const { label, look, points, label_share } of curves) {
    if (label_share === null) continue;
    const point = points.find(({ share }) => share >= label_share);
    if (!point) continue;
    drawText(pen, label, x(point.latency_us) + 5, y(label_share) + 4, {
      colour: palette.lanes[look] ?? palette.ink,
      font: `700 ${palette.font}`,
      halo: palette.paper,
    });
  }
}
