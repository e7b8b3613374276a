// Plays a round of a test, as the server made it: sounds of a second, with a pause
// between. Which of them is the right one is not known here.
// SPDX-License-Identifier: Apache-2.0

import type { Output } from "../player/output";
import { LEAD_SECONDS } from "../player/pair";

const SOUND_SECONDS = 1;
const PAUSE_SECONDS = 0.5;

/** Plays the round. Resolves after the last sound; `onSound` is told each one's
 * number, 0 and up, as it begins. Aborting silences it. */
export async function playSounds(
  { context, level }: Output,
  round: AudioBuffer,
  sounds: number,
  onSound: (sound: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const begin_s = context.currentTime + LEAD_SECONDS;
  const sources = Array.from({ length: sounds }, (_, sound) => {
    const at_s = sound * (SOUND_SECONDS + PAUSE_SECONDS);
    const source = new AudioBufferSourceNode(context, { buffer: round });
    source.connect(level);
    source.start(begin_s + at_s, at_s, SOUND_SECONDS);
    return source;
  });
  const silence = () => {
    for (const source of sources) source.stop();
  };
  signal.addEventListener("abort", silence, { once: true });
  for (const [sound, source] of sources.entries()) {
    onSound(sound);
    await new Promise((resolve) => source.addEventListener("ended", resolve, { once: true }));
    if (signal.aborted) return;
  }
  signal.removeEventListener("abort", silence);
}

/** Plays all of it. Resolves when it has ended; aborting silences it. */
export async function playWhole(
  { context, level }: Output,
  sound: AudioBuffer,
  signal: AbortSignal,
): Promise<void> {
  const source = new AudioBufferSourceNode(context, { buffer: sound });
  source.connect(level);
  source.start(context.currentTime + LEAD_SECONDS);
  signal.addEventListener("abort", () => source.stop(), { once: true });
  await new Promise((resolve) => source.addEventListener("ended", resolve, { once: true }));
}
