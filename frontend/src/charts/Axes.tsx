// Two axes with their titles, and what is drawn between them: where both are nought, a threshold, a
// curve, a dot for each group of votes. All places are per cent of the plot, from its lower left. Who cannot see it has
// the label, and the tables that it names.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import { Fragment, type ReactNode } from "react";
import styles from "./Axes.module.css";

interface Tick {
  readonly at: number;
  readonly says: string;
}

interface AxesProps {
  readonly label: string;
  readonly up: { readonly title: string; readonly ticks: readonly Tick[] };
  readonly right: { readonly title: string; readonly ticks: readonly Tick[] };
  readonly children: ReactNode;
}

export function Axes({ label, up, right, children }: AxesProps) {
  return (
    <div className={styles.figure} role="img" aria-label={label}>
      <p>{up.title}</p>
      <div className={styles.body}>
        <div className={styles.up}>
          {up.ticks.map(({ at, says }) => (
            <span key={says} style={{ bottom: `${at}%` }}>
              {says}
            </span>
          ))}
        </div>
        <div className={styles.plot}>
          {up.ticks.map(({ at, says }) => (
            <span key={says} className={styles.line} style={{ bottom: `${at}%` }} />
          ))}
          {children}
        </div>
        <div className={styles.along}>
          {right.ticks.map(({ at, says }) => (
            <span key={says} style={{ left: `${at}%` }}>
              {says}
            </span>
          ))}
        </div>
      </div>
      <p className={styles.right}>{right.title}</p>
    </div>
  );
}

interface NoughtsProps {
  readonly x: number;
  readonly y: number;
}

/** Where either axis is at nought. */
export function Noughts({ x, y }: NoughtsProps) {
  return (
    <>
      <span className={styles.nought} style={{ left: `${x}%` }} />
      <span className={clsx(styles.nought, styles.level)} style={{ bottom: `${y}%` }} />
    </>
  );
}

interface ThresholdProps {
  readonly from: number;
  readonly at: number;
  readonly to: number;
}

export function Threshold({ from, at, to }: ThresholdProps) {
  return (
    <>
      <span className={styles.interval} style={{ left: `${from}%`, width: `${to - from}%` }} />
      <span className={styles.threshold} style={{ left: `${at}%` }} />
    </>
  );
}

interface CurvePlace {
  readonly x: number;
  readonly y: number;
  /** Of the band around it. */
  readonly low?: number;
  readonly high?: number;
}

interface CurveProps {
  readonly title: string;
  readonly places: readonly CurvePlace[];
  /** Where the colours of series tell votes apart. */
  readonly ink?: boolean;
}

export function Curve({ title, places, ink = false }: CurveProps) {
  if (places.length === 0) return null;
  const drawn = (x: number, y: number) => `${x},${100 - y}`;
  const band = [
    ...places.map(({ x, y, high = y }) => drawn(x, high)),
    ...[...places].reverse().map(({ x, y, low = y }) => drawn(x, low)),
  ];
  return (
    <svg
      className={clsx(styles.curve, ink && styles.ink)}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
    >
      <title>{title}</title>
      <polygon className={styles.band} points={band.join(" ")} />
      <polyline
        className={styles.middle}
        points={places.map(({ x, y }) => drawn(x, y)).join(" ")}
      />
    </svg>
  );
}

export interface Dot {
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly votes: number;
  readonly interval?: { readonly low: number; readonly high: number } | undefined;
}

/** Each as large in area as it has votes. */
export function Dots({ dots }: { readonly dots: readonly Dot[] }) {
  const most = Math.max(...dots.map(({ votes }) => votes));
  return dots.map(({ key, x, y, votes, interval }) => {
    const size = `${0.4 + 0.7 * Math.sqrt(votes / most)}rem`;
    const left = `${x}%`;
    return (
      <Fragment key={key}>
        {interval && (
          <span
            className={styles.own}
            style={{
              left,
              bottom: `${interval.low}%`,
              height: `${interval.high - interval.low}%`,
            }}
          />
        )}
        <span className={styles.dot} style={{ left, bottom: `${y}%`, width: size, height: size }} />
      </Fragment>
    );
  });
}
