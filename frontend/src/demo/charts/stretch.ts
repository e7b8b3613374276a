// A stretch of the demo's time and where its instants lie. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { Ring } from "../feed/ring";

export interface Stretch {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly px_per_ms: number;
  /** What is later is not shown yet, even if it is known. */
  readonly now_ms: number;
}

export const xOf = (at_ms: number, stretch: Stretch): number =>
  (at_ms - stretch.from_ms) * stretch.px_per_ms;

/** What a row has of a stretch, with one more on each side so that lines go on. */
export function* within<Item>(
  row: Ring<Item>,
  at: (item: Item) => number,
  stretch: Stretch,
): Iterable<Item> {
  const first = Math.max(0, row.lowerBound(at, stretch.from_ms) - 1);
  for (let index = first; index < row.length; index++) {
    const item = row.at(index);
    if (!item || at(item) > stretch.now_ms) return;
    yield item;
    if (at(item) > stretch.to_ms) return;
  }
}

/** Round steps of time, in ms. */
const STEPS_MS = [
  10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000,
];

/** So that numbers at the steps do not touch. */
export function timeStep_ms(px_per_ms: number, apart_px = 90): number {
  return STEPS_MS.find((step_ms) => step_ms * px_per_ms >= apart_px) ?? 600_000;
}

/** Round instants of a stretch, those a little outside included where asked. */
export function timeTicks_ms(stretch: Stretch, step_ms: number, outside_ms = 0): number[] {
  const found: number[] = [];
  const last = Math.floor((stretch.to_ms + outside_ms) / step_ms);
  for (let tick = Math.ceil((stretch.from_ms - outside_ms) / step_ms); tick <= last; tick++) {
    if (tick >= 0) found.push(tick * step_ms);
  }
  return found;
}

/** "1:05", with as many decimals as the step needs. */
export function clockText(at_ms: number, step_ms: number): string {
  const decimals = step_ms >= 1000 ? 0 : step_ms >= 100 ? 1 : 2;
  const unit = 10 ** decimals;
  const whole = Math.round((at_ms / 1000) * unit);
  const minutes = Math.floor(whole / (60 * unit));
  const seconds = ((whole - minutes * 60 * unit) / unit).toFixed(decimals);
  return `${minutes}:${seconds.padStart(decimals ? decimals + 3 : 2, "0")}`;
}
