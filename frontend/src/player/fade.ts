// How a sound begins and ends without a click: 5 ms of raised cosine.
// SPDX-License-Identifier: Apache-2.0

/** Fade time of either half of a switch (ITU-R BS.1534-3, 5 ms). */
export const RAMP_SECONDS = 0.005;

/** Half a raised cosine, from 0 to 1 or from 1 to 0, both ends included. */
export function raisedCosine(direction: "in" | "out", points: number): Float32Array<ArrayBuffer> {
  const curve = new Float32Array(points);
  for (let point = 0; point < points; point++) {
    const risen = (1 - Math.cos((Math.PI * point) / (points - 1))) / 2;
    curve[point] = direction === "in" ? risen : 1 - risen;
  }
  return curve;
}

export const rampSamples = (rate_hz: number): number => Math.round(RAMP_SECONDS * rate_hz);

/** A part of a recording, in seconds. */
export interface Region {
  readonly from_s: number;
  readonly to_s: number;
}

/** A copy of the part, to the nearest sample, whose first sample and whose
 * last are silent: it can be started, ended and repeated without a click. */
export function faded(buffer: AudioBuffer, { from_s, to_s }: Region): AudioBuffer {
  const { sampleRate, numberOfChannels } = buffer;
  const from = Math.round(from_s * sampleRate);
  const length = Math.min(buffer.length, Math.round(to_s * sampleRate)) - from;
  const copy = new AudioBuffer({ length, sampleRate, numberOfChannels });
  const points = Math.min(rampSamples(sampleRate) + 1, length >> 1);
  const rise = raisedCosine("in", points);
  for (let channel = 0; channel < numberOfChannels; channel++) {
    const samples = buffer.getChannelData(channel).slice(from, from + length);
    for (const [point, gain] of rise.entries()) {
      samples[point] = (samples[point] ?? 0) * gain;
      samples[length - 1 - point] = (samples[length - 1 - point] ?? 0) * gain;
    }
    copy.copyToChannel(samples, channel);
  }
  return copy;
}
