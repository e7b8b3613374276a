// Round numbers for an axis. Of a logarithmic one the chart library starts its own
// ticks at the axis' lower end, and none of them is round.

/** Every 1, 2, … 9 times a power of ten from `least` to `most`; both above zero. */
export function decadeTicks(least: number, most: number): number[] {
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(least)); 10 ** power <= most; power++) {
    for (let digit = 1; digit < 10; digit++) {
      const tick = Number(`${digit}e${power}`);
      if (tick >= least && tick <= most) ticks.push(tick);
    }
  }
  return ticks;
}

/** Whether there is room for a tick's number: 1, 2, 5, 10, 20 … have it. */
export function hasNumber(tick: number): boolean {
  return "125".includes(tick.toExponential().charAt(0));
}

/** Round numbers from `least` to `most`, about `count` of them or fewer. */
export function roundTicks(least: number, most: number, count = 6): number[] {
  const rough = (most - least) / count;
  const decade = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * decade).find((one) => one >= rough) ?? rough;
  const first = Math.ceil(least / step);
  const last = Math.floor(most / step + 1e-9);
  // Multiplied, not added up: sums of a tenth are not round.
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => (first + at) * step);
}
