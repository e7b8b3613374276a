// Scales of values: round upper ends that change seldom, ticks, heights. Pure.
// SPDX-License-Identifier: Apache-2.0

export interface ValueScale {
  readonly least: number;
  readonly most: number;
  readonly logarithmic: boolean;
}

/** 0 at the least, 1 at the most, cut off outside. */
export function heightOf(value: number, { least, most, logarithmic }: ValueScale): number {
  const share = logarithmic
    ? Math.log(Math.max(value, least) / least) / Math.log(most / least)
    : (value - least) / (most - least);
  return Math.min(1, Math.max(0, share));
}

const ROUND = [1, 2, 5, 10];

/** The least of 1, 2, 5, 10, 20 … that reaches `value`. */
export function roundUp(value: number): number {
  if (!(value > 0)) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  const found = ROUND.find((times) => times * decade >= value * (1 - 1e-9)) ?? 10;
  return Number((found * decade).toPrecision(1));
}

export function roundDown(value: number): number {
  if (!(value > 0)) return 1;
  const decade = 10 ** Math.floor(Math.log10(value));
  const found = ROUND.findLast((times) => times * decade <= value * (1 + 1e-9)) ?? 1;
  return Number((found * decade).toPrecision(1));
}

/** An upper end that grows at once and shrinks only when much of it is empty,
 * so that a chart's scale does not flicker. */
export function steadyMost(before: number, highest: number, least: number): number {
  const wanted = roundUp(Math.max(least, highest));
  return wanted > before || highest < before / 3 ? wanted : before;
}

export function ticksOf(scale: ValueScale, most = 4): number[] {
  return scale.logarithmic ? decades(scale) : evenly(scale, most);
}

function evenly({ least, most }: ValueScale, count: number): number[] {
  const step = roundUp((most - least) / count);
  const found: number[] = [];
  for (let tick = Math.ceil(least / step); tick * step <= most * (1 + 1e-9); tick++) {
    found.push(Number((tick * step).toPrecision(12)));
  }
  return found;
}

/** 1, 2 and 5 times each power of ten; only these where there are many. */
function decades({ least, most }: ValueScale): number[] {
  const digits = Math.log10(most / least) > 2.5 ? [1] : [1, 2, 5];
  const found: number[] = [];
  for (let power = Math.floor(Math.log10(least)); 10 ** power <= most; power++) {
    for (const digit of digits) {
      const tick = Number(`${digit}e${power}`);
      if (tick >= least * (1 - 1e-9) && tick <= most * (1 + 1e-9)) found.push(tick);
    }
  }
  return found;
}
