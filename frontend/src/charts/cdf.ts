// Distribution curves as the chart needs them: one rising row of instants for
// all curves. Pure.
// SPDX-License-Identifier: Apache-2.0

export interface CurvePoint {
  readonly latency_us: number;
  /** 0…1 of the samples at or below `latency_us`. */
  readonly share: number;
}

export interface Curve {
  readonly name: string;
  readonly points: readonly CurvePoint[];
}

/** Instants in ms, then for each curve the share of samples at or below them;
 * null before a curve's first point. */
export type Aligned = [number[], ...(number | null)[][]];

/** Puts step curves with instants of their own on one row of instants. */
export function align(curves: readonly Curve[]): Aligned {
  const instants = [
    ...new Set(curves.flatMap((curve) => curve.points.map((point) => point.latency_us))),
  ].sort((a, b) => a - b);
  const rows = curves.map((curve) => {
    let next = 0;
    let share: number | null = null;
    return instants.map((instant) => {
      for (let point = curve.points[next]; point && point.latency_us <= instant; ) {
        share = point.share;
        next += 1;
        point = curve.points[next];
      }
      return share;
    });
  });
  return [instants.map((instant) => instant / 1000), ...rows];
}

/** The share of samples at or below `latency_us`, 0…1. */
export function shareAt(curve: Curve, latency_us: number): number {
  let share = 0;
  for (const point of curve.points) {
    if (point.latency_us > latency_us) break;
    share = point.share;
  }
  return share;
}
