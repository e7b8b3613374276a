// What Chromium makes of an audio graph, rendered in the tests sample by sample, and
// measures of it.
// SPDX-License-Identifier: Apache-2.0
import { rampSamples } from "./fade";
import { RATE, type Wave } from "./signals";

export const RAMP = rampSamples(RATE);
/** Out, a sample of silence, in, and the next ramp may begin a sample later. */
export const SWITCH = 2 * RAMP + 2;

/** Renders what `play` sets up, from the context's first sample on. */
export async function rendered(
  length: number,
  play: (context: OfflineAudioContext) => void,
): Promise<Float32Array> {
  const context = new OfflineAudioContext(1, length, RATE);
  play(context);
  return (await context.startRendering()).getChannelData(0);
}

/** The first sample in [from, to) that is not bit for bit what it should be, or null. */
export function differsAt(
  heard: Float32Array,
  wanted: Wave,
  from: number,
  to: number,
): number | null {
  for (let sample = from; sample < to; sample++) {
    if (heard[sample] !== Math.fround(wanted(sample))) return sample;
  }
  return null;
}

/** The strongest click in [from, to), in dB below full scale. */
export function click_dbfs(heard: Float32Array, from: number, to: number): number {
  let worst = 0;
  for (let n = from; n < to; n++) {
    const bend = (heard[n - 1] ?? 0) - 2 * (heard[n] ?? 0) + (heard[n + 1] ?? 0);
    worst = Math.max(worst, Math.abs(bend));
  }
  return 20 * Math.log10(worst);
}
