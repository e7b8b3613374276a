// Plays a round of the headphone test: three noises with a pause between.
// SPDX-License-Identifier: Apache-2.0

import type { Output } from "../player/output";
import { LEAD_SECONDS } from "../player/pair";
import { noiseFor } from "./huggins";
import { NOISES } from "./screening";

const PAUSE_SECONDS = 0.5;

/** Plays the round. Resolves after the last noise; `onNoise` is told each one's
 * number, 0 and up, as it begins. Aborting silences it. */
export async function playNoises(
  { context, level }: Output,
  withTone: number,
  onNoise: (noise: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const rate_hz = context.sampleRate;
  const begin_s = context.currentTime + LEAD_SECONDS;
  const sources = Array.from({ length: NOISES }, (_, noise) => {
    const { left, right } = noiseFor(Math.random, rate_hz, noise === withTone);
    const buffer = new AudioBuffer({
      length: left.length,
      sampleRate: rate_hz,
      numberOfChannels: 2,
    });
    buffer.copyToChannel(left, 0);
    buffer.copyToChannel(right, 1);
    const source = new AudioBufferSourceNode(context, { buffer });
    source.connect(level);
    source.start(begin_s + noise * (buffer.duration + PAUSE_SECONDS));
    return source;
  });
  const silence = () => {
    for (const source of sources) source.stop();
  };
  signal.addEventListener("abort", silence, { once: true });
  for (const [noise, source] of sources.entries()) {
    onNoise(noise);
    await new Promise((resolve) => source.addEventListener("ended", resolve, { once: true }));
    if (signal.aborted) return;
  }
  signal.removeEventListener("abort", silence);
}
