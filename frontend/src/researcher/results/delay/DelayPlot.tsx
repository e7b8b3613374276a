// Votes over delay: a dot a recording, the model's curve in its band, and the threshold. Who
// cannot see it has the sentence above and the tables below.
// SPDX-License-Identifier: Apache-2.0

import type { DelayBlock, DelayCurve, MetricFindings } from "../../../api/generated";
import { Axes, Curve, Dots, Threshold } from "../../../charts/Axes";
import { counted } from "../../../staff/format";
import { delays, isRating, type Scale } from "../scale";
import { delayTitle, valueScale, valueTitle } from "./delayWords";

interface DelayPlotProps {
  readonly scale: DelayBlock["scale"];
  readonly metric: MetricFindings;
  readonly curve: DelayCurve;
}

interface Scales {
  readonly x: Scale;
  readonly y: Scale;
}

const ticksOf = ({ ticks, at, say }: Scale) =>
  ticks.map((tick) => ({ at: at(tick), says: say(tick) }));

export function DelayPlot({ scale, metric, curve }: DelayPlotProps) {
  const { x, y } = scalesOf(scale, metric, curve);
  const [right, up] = [delayTitle(scale, metric.title), valueTitle(scale)];
  const { points, threshold } = curve;
  return (
    <Axes
      label={`${up}, over “${right}”: ${counted(points.length, "recording")}; all numbers are in the tables below`}
      up={{ title: up, ticks: ticksOf(y) }}
      right={{ title: right, ticks: ticksOf(x) }}
    >
      {threshold && (
        <Threshold
          from={threshold.low === null ? 0 : x.at(threshold.low)}
          at={x.at(threshold.value)}
          to={threshold.high === null ? 100 : x.at(threshold.high)}
        />
      )}
      <Curve
        title="The model’s curve"
        places={curve.curve.map(({ delay, low, value, high }) => ({
          x: x.at(delay),
          y: y.at(value),
          low: y.at(low),
          high: y.at(high),
        }))}
      />
      <Dots
        dots={points.map(({ trial_id, run, delay, value, low, high, votes }) => ({
          key: `${trial_id} ${run}`,
          x: x.at(delay),
          y: y.at(value),
          votes,
          interval:
            low === null || high === null ? undefined : { low: y.at(low), high: y.at(high) },
        }))}
      />
    </Axes>
  );
}

function scalesOf(scale: DelayBlock["scale"], metric: MetricFindings, curve: DelayCurve): Scales {
  const delaysSeen = [...curve.points, ...curve.curve].map(({ delay }) => delay);
  const values = [...curve.points, ...curve.curve].flatMap(({ low, value, high }) => [
    low ?? value,
    value,
    high ?? value,
  ]);
  const most = Math.max(...delaysSeen);
  const least = isRating(scale) ? Math.min(...delaysSeen) : 0;
  // What lies at an end keeps its dot inside.
  const room = (most - least) * 0.03;
  return {
    x: delays(least === 0 ? 0 : least - room, most + room, metric.unit),
    y: valueScale(
      scale,
      values.map((value) => Math.max(-3, Math.min(3, value))),
    ),
  };
}
