// Latency distributions of the members of a pair in one chart: told apart by
// colour and by dash, with their numbers in a table beneath.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { useCallback, useState } from "react";
import uPlot from "uplot";
import look from "../design/look.module.css";
import { align, type Curve, shareAt } from "./cdf";
import legend from "./legend.module.css";
import { Stroke } from "./Stroke";
import { colour } from "./scheme";
import { decadeTicks, hasNumber } from "./ticks";
import { HEIGHT_PX, usePlot } from "./usePlot";

const DASHES = [[], [7, 4]] as const;

const tokenOf = (index: number) => `--series-${index + 1}` as const;

export interface ChartScales {
  readonly logarithmic: boolean;
  /** Only the slowest fifth of the samples, where members differ. */
  readonly tail: boolean;
}

interface LatencyChartProps {
  readonly curves: readonly Curve[];
  readonly scales: ChartScales;
  /** What the curves are, for who does not see them. */
  readonly label: string;
}

export function LatencyChart({ curves, scales, label }: LatencyChartProps) {
  const [pointed_ms, setPointed] = useState<number | null>(null);
  const place = usePlot(
    useCallback(
      (element) =>
        new uPlot(
          options(element.clientWidth, curves, scales, setPointed),
          align(curves) as uPlot.AlignedData,
          element,
        ),
      [curves, scales],
    ),
  );
  return (
    <figure className={legend.chart}>
      <figcaption className={clsx(legend.legend, look.small)}>
        {curves.map((curve, index) => (
          <span key={curve.name}>
            <Stroke token={tokenOf(index)} dash={DASHES[index] ?? []} />
            {curve.name}
            {pointed_ms !== null && (
              <span className={look.soft}>
                {" "}
                {(shareAt(curve, pointed_ms * 1000) * 100).toFixed(1)} %
              </span>
            )}
          </span>
        ))}
        <span className={look.soft}>
          {pointed_ms !== null && `within ${Math.round(pointed_ms)} ms`}
        </span>
      </figcaption>
      <div ref={place} role="img" aria-label={label} />
    </figure>
  );
}

const logarithmic: uPlot.Axis = {
  splits: (_chart, _axis, least, most) => decadeTicks(least, most),
  values: (_, ticks) => ticks.map((tick) => (hasNumber(tick) ? String(tick) : "")),
  // The library's own filter would take numbers away again.
  filter: (_, ticks) => ticks,
};

function options(
  width: number,
  curves: readonly Curve[],
  scales: ChartScales,
  onPoint: (latency_ms: number | null) => void,
): uPlot.Options {
  const axis = {
    stroke: colour("--ink-soft"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: "13px system-ui, sans-serif",
    labelFont: "13px system-ui, sans-serif",
  };
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    hooks: {
      setCursor: [
        (chart) => {
          const left = chart.cursor.left ?? -1;
          onPoint(left < 0 ? null : chart.posToVal(left, "x"));
        },
      ],
    },
    scales: {
      x: {
        time: false,
        distr: scales.logarithmic ? 3 : 1,
        range: (_, least, most) =>
          scales.logarithmic ? [least * 0.95, most * 1.05] : [0, most * 1.02],
      },
      y: { range: () => (scales.tail ? [0.8, 1.005] : [0, 1.02]) },
    },
    axes: [
      {
        ...axis,
        label: "Latency, ms",
        labelSize: 22,
        ...(scales.logarithmic ? logarithmic : {}),
      },
      {
        ...axis,
        size: 60,
        values: (_, ticks) => ticks.map((tick) => `${Math.round(tick * 100)} %`),
      },
    ],
    series: [
      {},
      ...curves.map((curve, index) => ({
        label: curve.name,
        stroke: colour(tokenOf(index)),
        width: 2,
        dash: [...(DASHES[index] ?? [])],
        points: { show: false },
        spanGaps: true,
        ...(uPlot.paths.stepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
      })),
    ],
  };
}
