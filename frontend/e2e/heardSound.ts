// Reads what was recorded of a sound room: which lane, how loud, and where the
// chirps are (see backend/tests/demo/marked_sound.py).
// SPDX-License-Identifier: Apache-2.0

export const RATE_HZ = 48_000;
const NOTES_HERTZ = [600, 900, 1_200, 1_500];
const CHIRP_HERTZ = [2_000, 6_000] as const;
const CHIRP_SAMPLES = 960;
/** Whole periods of all notes. */
export const WINDOW_SAMPLES = 480;
const STEP_SAMPLES = 48;
const FOUND_SHARE = 0.3;
const NOTE_SHARE = 0.15;
const LEAST_SHARE = NOTE_SHARE / 3;
export const NOTE_RMS = NOTE_SHARE / Math.SQRT2;
const CHIRP_SHARE = 0.5;
const STARVED_SAMPLES = 32;

/** How much of a note is in a window. */
function note(pcm: Float32Array, from: number, hertz: number): number {
  let [re, im] = [0, 0];
  for (let n = 0; n < WINDOW_SAMPLES; n++) {
    const phase = (2 * Math.PI * hertz * n) / RATE_HZ;
    const sample = pcm[from + n] ?? 0;
    re += sample * Math.cos(phase);
    im += sample * Math.sin(phase);
  }
  return (2 * Math.hypot(re, im)) / WINDOW_SAMPLES;
}

export interface Stretch {
  readonly lane: number | null;
  /** Sample where it begins; on the millisecond. */
  readonly from: number;
}

/** Which lane's note is the loudest; none where there is next to nothing. */
export function laneOf(pcm: Float32Array, from: number): number | null {
  const shares = NOTES_HERTZ.map((hertz) => note(pcm, from, hertz));
  const most = Math.max(...shares);
  return most < LEAST_SHARE ? null : shares.indexOf(most);
}

/** Which lane was heard, millisecond by millisecond. */
export function lanesOf(pcm: Float32Array): Stretch[] {
  const stretches: Stretch[] = [];
  for (let from = 0; from + WINDOW_SAMPLES <= pcm.length; from += STEP_SAMPLES) {
    const lane = laneOf(pcm, from);
    if (stretches.at(-1)?.lane !== lane) stretches.push({ lane, from: from + WINDOW_SAMPLES / 2 });
  }
  return stretches;
}

/** The root mean square of every 10 ms. */
export function loudness(pcm: Float32Array): number[] {
  const found: number[] = [];
  for (let from = 0; from + WINDOW_SAMPLES <= pcm.length; from += WINDOW_SAMPLES) {
    let sum = 0;
    for (const sample of pcm.subarray(from, from + WINDOW_SAMPLES)) sum += sample ** 2;
    found.push(Math.sqrt(sum / WINDOW_SAMPLES));
  }
  return found;
}

/** Whether the browser had nothing to give: a decoder's silence is never zero for long. */
export function starved(pcm: Float32Array): boolean {
  let zeros = 0;
  return pcm.some((sample) => {
    zeros = sample === 0 ? zeros + 1 : 0;
    return zeros === STARVED_SAMPLES;
  });
}

function chirp(): Float32Array {
  const [low, high] = CHIRP_HERTZ;
  const length_s = CHIRP_SAMPLES / RATE_HZ;
  return Float32Array.from({ length: CHIRP_SAMPLES }, (_, n) => {
    const at_s = n / RATE_HZ;
    const phase = 2 * Math.PI * (low * at_s + ((high - low) * at_s ** 2) / (2 * length_s));
    const soft = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / (CHIRP_SAMPLES - 1));
    return soft * Math.sin(phase);
  });
}

/** Samples at which chirps begin. */
export function chirpsOf(pcm: Float32Array): number[] {
  const wanted = chirp();
  const whole = CHIRP_SHARE * wanted.reduce((sum, sample) => sum + sample ** 2, 0);
  const likeness = (from: number) => {
    let sum = 0;
    for (let n = 0; n < CHIRP_SAMPLES; n++) sum += (pcm[from + n] ?? 0) * (wanted[n] ?? 0);
    return sum;
  };
  const found: number[] = [];
  for (let from = 0; from + CHIRP_SAMPLES <= pcm.length; from++) {
    if (likeness(from) < FOUND_SHARE * whole) continue;
    let best = from;
    for (let near = from; near < from + CHIRP_SAMPLES; near++) {
      if (likeness(near) > likeness(best)) best = near;
    }
    found.push(best);
    from = best + CHIRP_SAMPLES;
  }
  return found;
}
