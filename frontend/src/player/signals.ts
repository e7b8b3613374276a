// Signals that the tests play, and measures of what a rendering made of them.
// SPDX-License-Identifier: Apache-2.0

export const RATE = 48_000;

/** Sample number to value. */
export type Wave = (sample: number) => number;

/** White, without a period, and the same at every call. */
export const noise = (seed: number): Wave => {
  // Any waveform without a period would do; this one needs no state.
  return (sample) => ((Math.imul(sample + 1, 2654435761 ^ seed) >>> 8) / 2 ** 24) * 1.6 - 0.8;
};

// A click is energy where the programme has none. The programme is a 200 Hz
// tone, so whatever a second difference (+12 dB an octave) finds, beyond what
// the tone itself has, is the click.
export const tone: Wave = (sample) => 0.5 * Math.sin((2 * Math.PI * 200 * sample) / RATE);
/** The tone's crest, where a hard cut is worst. */
export const CREST = 60;

export function bufferOf(wave: Wave, length: number): AudioBuffer {
  const audio = new AudioBuffer({ length, sampleRate: RATE });
  const samples = Float32Array.from({ length }, (_, sample) => wave(sample));
  audio.copyToChannel(samples, 0);
  return audio;
}

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
