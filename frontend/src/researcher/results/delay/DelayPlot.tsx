// Votes over delay: a dot a recording, the model's curve in its band, and the threshold. Who
// cannot see it has the sentence above and the tables below.
// SPDX-License-Identifier: Apache-2.0

import { Fragment } from "react";
import type { DelayBlock, DelayCurve, MetricFindings } from "../../../api/generated";
import { counted } from "../../../staff/format";
import { delays, isRating, type Scale } from "../scale";
import styles from "./DelayPlot.module.css";
import { delayTitle, valueScale, valueTitle } from "./delayWords";

interface DelayPlotProps {
  readonly scale: DelayBlock["scale"];
  readonly metric: MetricFindings;
  readonly curve: DelayCurve;
}

interface Axes {
  readonly x: Scale;
  readonly y: Scale;
}

export function DelayPlot({ scale, metric, curve }: DelayPlotProps) {
  const axes = axesOf(scale, metric, curve);
  const { x, y } = axes;
  const [right, up] = [delayTitle(scale, metric.title), valueTitle(scale)];
  return (
    <div
      className={styles.figure}
      role="img"
      aria-label={`${up}, over “${right}”: ${counted(curve.points.length, "recording")}; all numbers are in the tables below`}
    >
      <p>{up}</p>
      <div className={styles.body}>
        <div className={styles.values}>
          {y.ticks.map((tick) => (
            <span key={tick} style={{ bottom: `${y.at(tick)}%` }}>
              {y.say(tick)}
            </span>
          ))}
        </div>
        <div className={styles.plot}>
          {y.ticks.map((tick) => (
            <span key={tick} className={styles.line} style={{ bottom: `${y.at(tick)}%` }} />
          ))}
          <Threshold axes={axes} curve={curve} />
          <Drawn axes={axes} curve={curve} />
          <Dots axes={axes} curve={curve} />
        </div>
        <div className={styles.delays}>
          {x.ticks.map((tick) => (
            <span key={tick} style={{ left: `${x.at(tick)}%` }}>
              {x.say(tick)}
            </span>
          ))}
        </div>
      </div>
      <p className={styles.right}>{right}</p>
    </div>
  );
}

function axesOf(scale: DelayBlock["scale"], metric: MetricFindings, curve: DelayCurve): Axes {
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

interface PartProps {
  readonly axes: Axes;
  readonly curve: DelayCurve;
}

function Threshold({ axes: { x }, curve: { threshold } }: PartProps) {
  if (!threshold) return null;
  const from = threshold.low === null ? 0 : x.at(threshold.low);
  const to = threshold.high === null ? 100 : x.at(threshold.high);
  return (
    <>
      <span className={styles.interval} style={{ left: `${from}%`, width: `${to - from}%` }} />
      <span className={styles.threshold} style={{ left: `${x.at(threshold.value)}%` }} />
    </>
  );
}

function Drawn({ axes: { x, y }, curve: { curve } }: PartProps) {
  if (curve.length === 0) return null;
  const place = (delay: number, value: number) => `${x.at(delay)},${100 - y.at(value)}`;
  const band = [
    ...curve.map(({ delay, high }) => place(delay, high)),
    ...[...curve].reverse().map(({ delay, low }) => place(delay, low)),
  ];
  return (
    <svg className={styles.curve} viewBox="0 0 100 100" preserveAspectRatio="none">
      <title>The model’s curve</title>
      <polygon className={styles.band} points={band.join(" ")} />
      <polyline
        className={styles.middle}
        points={curve.map(({ delay, value }) => place(delay, value)).join(" ")}
      />
    </svg>
  );
}

function Dots({ axes: { x, y }, curve: { points } }: PartProps) {
  const most = Math.max(...points.map(({ votes }) => votes));
  return points.map(({ trial_id, run, delay, value, low, high, votes }) => {
    const left = `${x.at(delay)}%`;
    // As large in area as it has votes.
    const size = `${0.4 + 0.7 * Math.sqrt(votes / most)}rem`;
    return (
      <Fragment key={`${trial_id} ${run}`}>
        {low !== null && high !== null && (
          <span
            className={styles.own}
            style={{ left, bottom: `${y.at(low)}%`, height: `${y.at(high) - y.at(low)}%` }}
          />
        )}
        <span
          className={styles.dot}
          style={{ left, bottom: `${y.at(value)}%`, width: size, height: size }}
        />
      </Fragment>
    );
  });
}
