// Pairs of recordings by how far their members differ in either of two metrics, and the line on
// which both are preferred alike; or recordings by how much they have of either, and the line along
// which they are rated alike. Who cannot see it has the sentence above and the table below.
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
import { axesOf, isRated, lineOf, placesOf, type Sign, type WeighedAxis } from "./weighed";
import { lineName, signsOf } from "./weighedWords";

const SHAPES: Readonly<Record<Sign, MarkShape>> = {
  b: "circle",
  a: "triangle",
  both: "diamond",
  high: "circle",
  low: "triangle",
  middle: "diamond",
};

const ticksOf = ({ ticks, at, say }: WeighedAxis) =>
  ticks.map((tick) => ({ at: at(tick), says: say(tick) }));

export function WeighedPlot({ found }: { readonly found: WeighedFindings }) {
  const { right, up } = axesOf(found);
  const places = placesOf(found);
  const line = lineOf(found, right);
  const most = Math.max(...places.map(({ votes }) => votes));
  const name = lineName(found);
  return (
    <figure className={legend.chart}>
      <figcaption className={clsx(legend.legend, look.small)}>
        {signsOf(found).map(([sign, says]) => (
          <span key={sign}>
            <SignMark sign={sign} className={styles.key} />
            {says}
          </span>
        ))}
        {line.length > 0 && (
          <span>
            <Stroke token="--ink" dash={[]} />
            {name}
          </span>
        )}
      </figcaption>
      <Axes
        label={labelOf(found, up)}
        up={{ title: up.title, ticks: ticksOf(up) }}
        right={{ title: right.title, ticks: ticksOf(right) }}
      >
        {!isRated(found) && <Noughts x={right.at(0)} y={up.at(0)} />}
        <Curve
          ink
          title={name}
          places={line.map(({ other_apart, apart, low, high }) => ({
            x: right.at(other_apart),
            y: up.at(apart),
            low: up.at(low),
            high: up.at(high),
          }))}
        />
        {places.map(({ key, right: across, up: upwards, votes, sign }) => {
          const size = `${0.5 + 0.6 * Math.sqrt(votes / most)}rem`;
          return (
            <span
              key={key}
              className={styles.place}
              style={{
                left: `${right.at(across)}%`,
                bottom: `${up.at(upwards)}%`,
                width: size,
                height: size,
              }}
            >
              <SignMark sign={sign} className={styles.whole} />
            </span>
          );
        })}
      </Axes>
    </figure>
  );
}

function labelOf(found: WeighedFindings, up: WeighedAxis): string {
  const { other_title, points, rated } = found;
  const over = isRated(found)
    ? `over “${other_title}”: ${counted(rated.length, "recording")}`
    : `over that in “${other_title}”: ${counted(points.length, "pair")} of recordings`;
  return `${up.title}, ${over}; all numbers are in the table below`;
}

interface SignMarkProps {
  readonly sign: Sign;
  readonly className: string | undefined;
}

const SignMark = ({ sign, className }: SignMarkProps) => (
  <svg className={clsx(styles.sign, className)} viewBox="-1.1 -1.1 2.2 2.2" aria-hidden="true">
    <Mark shape={SHAPES[sign]} className={styles[sign]} x={0} y={0} size={1} />
  </svg>
);
