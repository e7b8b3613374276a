// The audio graph of a trial that is played in turn: each whole, half a second of
// silence between, planned at once to the sample.
// SPDX-License-Identifier: Apache-2.0
import { faded, raisedCosine, rampSamples } from "./fade";
import { expectAlike, LEAD_SECONDS, type Members, membersOf, onSample } from "./pair";
import { PAUSE_SECONDS } from "./turns";

interface Running {
  readonly startedAt_s: number;
  readonly gain: GainNode;
  readonly sources: readonly AudioBufferSourceNode[];
}

export class Sequence {
  readonly duration_s: number;
  readonly #context: BaseAudioContext;
  readonly #destination: AudioNode;
  readonly #sounds: readonly AudioBuffer[];
  #running: Running | null = null;

  /** @throws RangeError when the members differ in length, rate or channels. */
  constructor(
    context: BaseAudioContext,
    buffers: Members<AudioBuffer>,
    destination: AudioNode = context.destination,
  ) {
    expectAlike(buffers);
    this.#context = context;
    this.#destination = destination;
    this.duration_s = buffers.first.duration;
    const whole = { from_s: 0, to_s: this.duration_s };
    this.#sounds = membersOf(buffers).flatMap((member) => {
      const buffer = buffers[member];
      return buffer ? [faded(buffer, whole)] : [];
    });
  }

  get playing(): boolean {
    return this.#running !== null;
  }

  /** Starts from the beginning; `onEnded` fires when all was played. */
  start(onEnded: () => void = () => {}, at_s = this.#context.currentTime + LEAD_SECONDS): void {
    if (this.#running) return;
    const rate_hz = this.#context.sampleRate;
    const begin_s = onSample(at_s, rate_hz);
    const gain = new GainNode(this.#context, { gain: 1 });
    gain.connect(this.#destination);
    const sources = this.#sounds.map((buffer, turn) => {
      const source = new AudioBufferSourceNode(this.#context, { buffer });
      source.connect(gain);
      const later = turn * (buffer.length + Math.round(PAUSE_SECONDS * rate_hz));
      source.start((Math.round(begin_s * rate_hz) + later) / rate_hz);
      return source;
    });
    const running = { startedAt_s: begin_s, gain, sources };
    this.#running = running;
    sources.at(-1)?.addEventListener("ended", () => {
      gain.disconnect();
      if (this.#running !== running) return;
      this.#running = null;
      onEnded();
    });
  }

  /** Fades out and ends; what was not heard to its end was not heard whole. */
  stop(at_s = this.#context.currentTime + LEAD_SECONDS): void {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    const rate_hz = this.#context.sampleRate;
    const begin_s = onSample(at_s, rate_hz);
    const samples = rampSamples(rate_hz);
    const { gain } = running.gain;
    gain.setValueCurveAtTime(raisedCosine("out", samples + 1), begin_s, samples / rate_hz);
    for (const source of running.sources) source.stop(begin_s + (samples + 1) / rate_hz);
  }

  /** Since the start, on the audio clock; null when nothing plays. */
  elapsed(at_s = this.#context.currentTime): number | null {
    return this.#running && Math.max(0, at_s - this.#running.startedAt_s);
  }

  /** Stops at once and lets go of the graph. */
  dispose(): void {
    for (const source of this.#running?.sources ?? []) source.stop();
    this.#running?.gain.disconnect();
    this.#running = null;
  }
}
