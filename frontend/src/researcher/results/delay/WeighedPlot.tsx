// Pairs of recordings by how far their members differ in either of two metrics, and the line on
// which both are preferred alike. Who cannot see it has the sentence above and the table below.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { WeighedFindings } from "../../../api/generated";
import { Axes, Curve, Noughts } from "../../../charts/Axes";
import legend from "../../../charts/legend.module.css";
import { Mark, type MarkShape } from "../../../charts/Mark";
import { Stroke } from "../../../charts/Stroke";
import look from "../../../design/look.module.css";
import { counted } from "../../../staff/format";
import styles from "./WeighedPlot.module.css";
import {
  axesOf,
  type DifferenceAxis,
  largestFirst,
  lineOf,
  type Side,
  sideOf,
  votesOf,
} from "./weighed";
import { LINE, SIDES } from "./weighedWords";

const SHAPES: Readonly<Record<Side, MarkShape>> = { b: "circle", a: "triangle", both: "diamond" };

const ticksOf = ({ ticks, at, say }: DifferenceAxis) =>
  ticks.map((tick) => ({ at: at(tick), says: say(tick) }));

export function WeighedPlot({ found }: { readonly found: WeighedFindings }) {
  const { right, up } = axesOf(found);
  const { points } = found;
  const line = lineOf(found, right);
  const most = Math.max(...points.map(votesOf));
  return (
    <figure className={legend.chart}>
      <figcaption className={clsx(legend.legend, look.small)}>
        {Object.entries(SIDES).map(([side, name]) => (
          <span key={side}>
            <Sign side={side as Side} className={styles.key} />
            {name}
          </span>
        ))}
        {line.length > 0 && (
          <span>
            <Stroke token="--ink" dash={[]} />
            {LINE}
          </span>
        )}
      </figcaption>
      <Axes
        label={`${up.title}, over that in “${found.other_title}”: ${counted(points.length, "pair")} of recordings; all numbers are in the table below`}
        up={{ title: up.title, ticks: ticksOf(up) }}
        right={{ title: right.title, ticks: ticksOf(right) }}
      >
        <Noughts x={right.at(0)} y={up.at(0)} />
        <Curve
          ink
          title={LINE}
          places={line.map(({ other_apart, apart, low, high }) => ({
            x: right.at(other_apart),
            y: up.at(apart),
            low: up.at(low),
            high: up.at(high),
          }))}
        />
        {largestFirst(points).map((point) => {
          const size = `${0.5 + 0.6 * Math.sqrt(votesOf(point) / most)}rem`;
          return (
            <span
              key={`${point.trial_id} ${point.run}`}
              className={styles.place}
              style={{
                left: `${right.at(point.other_apart)}%`,
                bottom: `${up.at(point.apart)}%`,
                width: size,
                height: size,
              }}
            >
              <Sign side={sideOf(point)} className={styles.whole} />
            </span>
          );
        })}
      </Axes>
    </figure>
  );
}

interface SignProps {
  readonly side: Side;
  readonly className: string | undefined;
}

const Sign = ({ side, className }: SignProps) => (
  <svg className={clsx(styles.sign, className)} viewBox="-1.1 -1.1 2.2 2.2" aria-hidden="true">
    <Mark shape={SHAPES[side]} className={styles[side]} x={0} y={0} size={1} />
  </svg>
);
