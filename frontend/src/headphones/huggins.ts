// Huggins pitch: noise that is the same in both ears but for a narrow band,
// which is upside down in one. Only who hears the two sides apart, through
// headphones, hears a faint tone in it (Milne et al. 2021,
// doi:10.3758/s13428-020-01514-0: noise of one second, 600 Hz, ±6 %).
// SPDX-License-Identifier: Apache-2.0

const CENTRE_HZ = 600;
const HALF_WIDTH_SHARE = 0.06;
/** Of either ear, as root mean square of full scale: about as loud as the speech. */
const NOISE_RMS = 0.05;
const FADE_SECONDS = 0.03;

export interface Ears {
  readonly left: Float32Array<ArrayBuffer>;
  readonly right: Float32Array<ArrayBuffer>;
}

/** Gaussian noise from uniform random numbers (Box and Muller). */
function gaussian(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Turns the sign of a signal's components from `from_hz` to `to_hz`, and of no other.
 * Exact for a signal of whole seconds, whose components are whole hertz apart. */
function turnBand(
  signal: Float32Array<ArrayBuffer>,
  rate_hz: number,
  from_hz: number,
  to_hz: number,
): Float32Array<ArrayBuffer> {
  const turned = signal.slice();
  const { length } = signal;
  const step = rate_hz / length;
  for (let bin = Math.ceil(from_hz / step); bin * step <= to_hz; bin++) {
    // A rotating pointer instead of a sine and a cosine for every sample.
    const [turnRe, turnIm] = [
      Math.cos((2 * Math.PI * bin) / length),
      Math.sin((2 * Math.PI * bin) / length),
    ];
    let [re, im, cosine, sine] = [1, 0, 0, 0];
    for (const value of signal) {
      cosine += value * re;
      sine += value * im;
      [re, im] = [re * turnRe - im * turnIm, re * turnIm + im * turnRe];
    }
    [re, im] = [1, 0];
    for (let n = 0; n < length; n++) {
      turned[n] = (turned[n] ?? 0) - (4 / length) * (cosine * re + sine * im);
      [re, im] = [re * turnRe - im * turnIm, re * turnIm + im * turnRe];
    }
  }
  return turned;
}

/** A second of noise for each ear, with a tone that neither ear has, or without. */
export function noiseFor(random: () => number, rate_hz: number, withTone: boolean): Ears {
  const left = Float32Array.from({ length: rate_hz }, () => NOISE_RMS * gaussian(random));
  const [from_hz, to_hz] = [1 - HALF_WIDTH_SHARE, 1 + HALF_WIDTH_SHARE].map(
    (share) => share * CENTRE_HZ,
  ) as [number, number];
  const right = withTone ? turnBand(left, rate_hz, from_hz, to_hz) : left.slice();
  return { left: fade(left, rate_hz), right: fade(right, rate_hz) };
}

function fade(signal: Float32Array<ArrayBuffer>, rate_hz: number): Float32Array<ArrayBuffer> {
  const points = Math.round(FADE_SECONDS * rate_hz);
  for (let point = 0; point < points; point++) {
    const gain = (1 - Math.cos((Math.PI * point) / points)) / 2;
    signal[point] = (signal[point] ?? 0) * gain;
    const mirrored = signal.length - 1 - point;
    signal[mirrored] = (signal[mirrored] ?? 0) * gain;
  }
  return signal;
}
