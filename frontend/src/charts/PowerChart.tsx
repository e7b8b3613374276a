// Shares of studies over participants or over an effect, a line for each of the other: told
// apart by colour, dash and mark. Their numbers are in a table beside it.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { useCallback } from "react";
import uPlot from "uplot";
import look from "../design/look.module.css";
import legend from "./legend.module.css";
import { Stroke } from "./Stroke";
import { colour } from "./scheme";
import { HEIGHT_PX, usePlot } from "./usePlot";

const LOOKS = [
  { token: "--ink-soft", dash: [2, 4] },
  { token: "--series-1", dash: [] },
  { token: "--series-2", dash: [7, 4] },
  { token: "--ink", dash: [12, 4, 2, 4] },
  { token: "--edge", dash: [4, 3] },
] as const;

export interface PowerLine {
  readonly name: string;
  /** One at each place of the chart, 0…1. */
  readonly shares: readonly number[];
}

interface PowerChartProps {
  /** Rising: participants, or effects. */
  readonly places: readonly number[];
  readonly axis: string;
  readonly say: (place: number) => string;
  /** Whether places double rather than add up. */
  readonly logarithmic: boolean;
  readonly lines: readonly PowerLine[];
  /** A line that is wanted, such as 0.8. */
  readonly wanted: number;
  /** What the lines are, for who does not see them. */
  readonly label: string;
}

export function PowerChart(props: PowerChartProps) {
  const { lines, label } = props;
  const place = usePlot(
    useCallback(
      (element) => new uPlot(options(element.clientWidth, props), dataOf(props), element),
      [props],
    ),
  );
  return (
    <figure className={legend.chart}>
      <figcaption className={clsx(legend.legend, look.small)}>
        {lines.map(({ name }, index) => (
          <span key={name}>
            <Stroke {...lookOf(index)} />
            {name}
          </span>
        ))}
      </figcaption>
      <div ref={place} role="img" aria-label={label} />
    </figure>
  );
}

const lookOf = (index: number) => LOOKS[index % LOOKS.length] ?? LOOKS[0];

const dataOf = ({ places, lines, wanted }: PowerChartProps): uPlot.AlignedData => [
  [...places],
  ...lines.map(({ shares }) => [...shares]),
  places.map(() => wanted),
];

function options(width: number, props: PowerChartProps): uPlot.Options {
  const { places, axis, say, logarithmic, lines } = props;
  const drawn = {
    stroke: colour("--ink-soft"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1 },
    font: "13px system-ui, sans-serif",
    labelFont: "13px system-ui, sans-serif",
  };
  const [first = 0, last = 1] = [places[0], places.at(-1)];
  const beyond = (last - first) * 0.03;
  return {
    width,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: {
        time: false,
        distr: logarithmic ? 3 : 1,
        range: () => (logarithmic ? [first * 0.93, last * 1.07] : [first - beyond, last + beyond]),
      },
      y: { range: () => [0, 1.02] },
    },
    axes: [
      {
        ...drawn,
        label: axis,
        labelSize: 22,
        splits: () => [...places],
        values: (_, ticks) => ticks.map(say),
        filter: (_, ticks) => ticks,
      },
      {
        ...drawn,
        size: 56,
        splits: () => [0, 0.2, 0.4, 0.6, 0.8, 1],
        values: (_, ticks) => ticks.map((tick) => `${Math.round(tick * 100)} %`),
      },
    ],
    series: [
      {},
      ...lines.map(({ name }, index) => ({
        label: name,
        stroke: colour(lookOf(index).token),
        width: 2,
        dash: [...lookOf(index).dash],
        points: { show: true, size: 7, fill: colour(lookOf(index).token) },
      })),
      { label: "wanted", stroke: colour("--edge"), width: 1, points: { show: false } },
    ],
  };
}
