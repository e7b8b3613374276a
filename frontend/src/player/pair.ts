// The audio graph of a pair: both members run from one instant, sample beside
// sample, and a switch only moves gains in the audio thread.
// SPDX-License-Identifier: Apache-2.0

export type Member = "first" | "second";

export const other = (member: Member): Member => (member === "first" ? "second" : "first");

/** Fade time of either half of a switch (ITU-R BS.1534-3, 5 ms). */
export const RAMP_SECONDS = 0.005;

/** The audio thread renders ahead of what the page reads as `currentTime`; a
 * ramp planned closer than this could begin in its past and jump. */
const LEAD_SECONDS = 0.02;

/** Half a raised cosine, from 0 to 1 or from 1 to 0, both ends included. */
export function raisedCosine(direction: "in" | "out", points: number): Float32Array<ArrayBuffer> {
  const curve = new Float32Array(points);
  for (let point = 0; point < points; point++) {
    const risen = (1 - Math.cos((Math.PI * point) / (points - 1))) / 2;
    curve[point] = direction === "in" ? risen : 1 - risen;
  }
  return curve;
}

interface Running {
  readonly startedAt_s: number;
  readonly from_s: number;
  readonly repeat: boolean;
  readonly sources: readonly AudioBufferSourceNode[];
}

/** Plays two buffers of one length and rate; `heard` is the audible one.
 *
 * Every instant is in seconds of the context's clock and is moved up to the
 * next sample. Ramps never overlap: what is asked for during a ramp begins when
 * that ramp has ended.
 */
export class Pair {
  readonly duration_s: number;
  readonly #context: BaseAudioContext;
  readonly #buffers: Readonly<Record<Member, AudioBuffer>>;
  readonly #gains: Readonly<Record<Member, GainNode>>;
  #heard: Member;
  #running: Running | null = null;
  #free_s = 0;

  /** @throws RangeError when the members differ in length, rate or channels. */
  constructor(
    context: BaseAudioContext,
    buffers: Readonly<Record<Member, AudioBuffer>>,
    destination: AudioNode = context.destination,
    heard: Member = "first",
  ) {
    const { first, second } = buffers;
    if (
      first.length !== second.length ||
      first.sampleRate !== second.sampleRate ||
      first.numberOfChannels !== second.numberOfChannels
    ) {
      throw new RangeError("The two recordings of a pair must be alike in length, rate, channels.");
    }
    this.#context = context;
    this.#buffers = buffers;
    this.#heard = heard;
    this.duration_s = first.duration;
    const gain = () => {
      const node = new GainNode(context, { gain: 0 });
      node.connect(destination);
      return node;
    };
    this.#gains = { first: gain(), second: gain() };
  }

  get heard(): Member {
    return this.#heard;
  }

  get playing(): boolean {
    return this.#running !== null;
  }

  /** Starts both members at `position_s`; `onEnded` fires when the end is reached. */
  start(
    position_s: number,
    { repeat = false, at_s = this.#soon(), onEnded = () => {} }: StartOptions = {},
  ): void {
    if (this.#running) return;
    const begin_s = this.#whenFree(at_s);
    const sources = (["first", "second"] as const).map((member) => {
      const source = new AudioBufferSourceNode(this.#context, {
        buffer: this.#buffers[member],
        loop: repeat,
      });
      source.connect(this.#gains[member]);
      source.start(begin_s, position_s);
      return source;
    });
    const running = { startedAt_s: begin_s, from_s: position_s, repeat, sources };
    this.#running = running;
    this.#ramp(this.#heard, "in", begin_s);
    sources[0]?.addEventListener("ended", () => {
      if (this.#running !== running) return;
      this.#running = null;
      this.#silence();
      onEnded();
    });
  }

  /** Fades out, stops both members, and returns the position reached. */
  stop(at_s = this.#soon()): number {
    const running = this.#running;
    if (!running) return 0;
    const begin_s = this.#whenFree(at_s);
    const position_s = this.#positionOf(running, begin_s);
    this.#running = null;
    this.#ramp(this.#heard, "out", begin_s);
    for (const source of running.sources) source.stop(this.#free_s);
    return position_s;
  }

  /** Makes `member` the audible one: 5 ms out, then 5 ms in, never both. */
  switchTo(member: Member, at_s = this.#soon()): void {
    if (member === this.#heard) return;
    const before = this.#heard;
    this.#heard = member;
    if (!this.#running) return;
    this.#ramp(before, "out", this.#whenFree(at_s));
    this.#ramp(member, "in", this.#free_s);
  }

  /** Where in the clip the context's instant `at_s` falls, in seconds. */
  position(at_s = this.#context.currentTime): number | null {
    return this.#running && this.#positionOf(this.#running, at_s);
  }

  /** Stops at once and lets go of the graph. */
  dispose(): void {
    for (const source of this.#running?.sources ?? []) source.stop();
    this.#running = null;
    for (const gain of Object.values(this.#gains)) gain.disconnect();
  }

  #positionOf(running: Running, at_s: number): number {
    const run_s = running.from_s + Math.max(0, at_s - running.startedAt_s);
    return running.repeat ? run_s % this.duration_s : Math.min(run_s, this.duration_s);
  }

  #soon(): number {
    return this.#context.currentTime + LEAD_SECONDS;
  }

  #whenFree(at_s: number): number {
    const rate = this.#context.sampleRate;
    return Math.ceil(Math.max(at_s, this.#free_s) * rate - 1e-6) / rate;
  }

  #ramp(member: Member, direction: "in" | "out", at_s: number): void {
    const rate = this.#context.sampleRate;
    const samples = Math.round(RAMP_SECONDS * rate);
    const length_s = samples / rate;
    this.#gains[member].gain.setValueCurveAtTime(
      raisedCosine(direction, samples + 1),
      at_s,
      length_s,
    );
    // A sample of grace: rounding must not make two curves of one gain overlap.
    this.#free_s = at_s + length_s + 1 / rate;
  }

  // The sources ended by themselves: no ramp is needed, but the next start must
  // find both gains closed. Not at once: the page hears of the end while the
  // audio thread still renders the last samples.
  #silence(): void {
    const at_s = this.#whenFree(this.#soon());
    for (const gain of Object.values(this.#gains)) gain.gain.setValueAtTime(0, at_s);
    this.#free_s = at_s + 1 / this.#context.sampleRate;
  }
}

interface StartOptions {
  readonly repeat?: boolean;
  readonly at_s?: number;
  readonly onEnded?: () => void;
}
