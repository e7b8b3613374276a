// Signals that the tests play.
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

/** Silence as a WAV file, which every browser decodes. */
export function silentWav(duration_s: number, rate_hz: number): ArrayBuffer {
  const bytes = 2 * duration_s * rate_hz;
  const wav = new DataView(new ArrayBuffer(44 + bytes));
  const word = (at: number, text: string) =>
    new Uint8Array(wav.buffer, at).set(new TextEncoder().encode(text));
  word(0, "RIFF");
  wav.setUint32(4, 36 + bytes, true);
  word(8, "WAVEfmt ");
  wav.setUint32(16, 16, true);
  wav.setUint16(20, 1, true);
  wav.setUint16(22, 1, true);
  wav.setUint32(24, rate_hz, true);
  wav.setUint32(28, 2 * rate_hz, true);
  wav.setUint16(32, 2, true);
  wav.setUint16(34, 16, true);
  word(36, "data");
  wav.setUint32(40, bytes, true);
  return wav.buffer;
}
