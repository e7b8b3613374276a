// Plays a round of the headphone test, as the server made it: three noises of a
// second, with a pause between. Which of them has the tone is not known here.
// SPDX-License-Identifier: Apache-2.0

import type { Output } from "../player/output";
import { LEAD_SECONDS } from "../player/pair";
import { NOISES } from "./screening";

const NOISE_SECONDS = 1;
const PAUSE_SECONDS = 0.5;

/** Plays the round. Resolves after the last noise; `onNoise` is told each one's
 * number, 0 and up, as it begins. Aborting silences it. */
export async function playNoises(
  { context, level }: Output,
  round: AudioBuffer,
  onNoise: (noise: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const begin_s = context.currentTime + LEAD_SECONDS;
  const sources = Array.from({ length: NOISES }, (_, noise) => {
    const at_s = noise * (NOISE_SECONDS + PAUSE_SECONDS);
    const source = new AudioBufferSourceNode(context, { buffer: round });
    source.connect(level);
    source.start(begin_s + at_s, at_s, NOISE_SECONDS);
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
