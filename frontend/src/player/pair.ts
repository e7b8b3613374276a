// The audio graph of a trial that is played freely: its members run from one
// instant, sample beside sample, and a switch only moves gains in the audio thread.
// SPDX-License-Identifier: Apache-2.0
import { faded, type Region, raisedCosine, rampSamples } from "./fade";

export type Side = "first" | "second";

/** The places of recordings that are presented beside each other, in their order. */
export const SOUNDS = [
  ...(["first", "second", "third", "fourth", "fifth", "sixth"] as const),
  ...(["seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"] as const),
] as const;

/** `x` is one of the others once more. */
export type Member = (typeof SOUNDS)[number] | "x";

const MEMBERS: readonly Member[] = [...SOUNDS, "x"];

/** What a trial presents: one recording, two, or more, and perhaps one of them once more. */
export type Members<T> = { readonly first: T } & {
  readonly [Other in Exclude<Member, "first">]?: T;
};

export const membersOf = (members: Members<unknown>): Member[] =>
  MEMBERS.filter((member) => members[member] !== undefined);

/** The same of each member. */
export const ofEach = <T>(value: T): Record<Member, T> =>
  Object.fromEntries(MEMBERS.map((member) => [member, value])) as Record<Member, T>;

/** Of each member what is made of it, once all are made. */
export async function eachOf<From, To>(
  members: Members<From>,
  make: (one: From, member: Member) => Promise<To>,
): Promise<Members<To>> {
  const made = membersOf(members).map(
    async (member) => [member, await make(members[member] ?? members.first, member)] as const,
  );
  return Object.fromEntries(await Promise.all(made)) as Members<To>;
}

/** @throws RangeError when the members differ in length, rate or channels. */
export function expectAlike(buffers: Members<AudioBuffer>): void {
  const { first } = buffers;
  for (const member of membersOf(buffers)) {
    const { length, sampleRate, numberOfChannels } = buffers[member] ?? first;
    if (
      first.length !== length ||
      first.sampleRate !== sampleRate ||
      first.numberOfChannels !== numberOfChannels
    ) {
      throw new RangeError("The recordings of a trial must be alike in length, rate, channels.");
    }
  }
}

/** The audio thread renders ahead of what the page reads as `currentTime`; a
 * ramp planned closer than this could begin in its past and jump. */
export const LEAD_SECONDS = 0.02;

/** The first sample at or after an instant, as an instant. */
export function onSample(at_s: number, rate_hz: number): number {
  return Math.ceil(at_s * rate_hz - 1e-6) / rate_hz;
}

interface Running {
  readonly startedAt_s: number;
  readonly from_s: number;
  readonly loop: Region | null;
  readonly sources: readonly AudioBufferSourceNode[];
}

/** Plays buffers of one length and rate; `heard` is the audible one.
 *
 * Every instant is in seconds of the context's clock and is moved up to the
 * next sample. Ramps never overlap: what is asked for during a ramp begins when
 * that ramp has ended. A loop's ends are faded in the samples themselves, so
 * that its seam is at the sample where it belongs however often it comes round.
 */
export class Pair {
  readonly duration_s: number;
  readonly #context: BaseAudioContext;
  readonly #buffers: Members<AudioBuffer>;
  readonly #whole: ReadonlyMap<Member, AudioBuffer>;
  readonly #gains: ReadonlyMap<Member, GainNode>;
  #heard: Member;
  #running: Running | null = null;
  #free_s = 0;

  /** @throws RangeError when the members differ in length, rate or channels. */
  constructor(
    context: BaseAudioContext,
    buffers: Members<AudioBuffer>,
    destination: AudioNode = context.destination,
    heard: Member = "first",
  ) {
    expectAlike(buffers);
    this.#context = context;
    this.#buffers = buffers;
    this.#heard = heard;
    this.duration_s = buffers.first.duration;
    this.#whole = this.#cut({ from_s: 0, to_s: this.duration_s });
    this.#gains = new Map(
      membersOf(buffers).map((member) => {
        const node = new GainNode(context, { gain: 0 });
        node.connect(destination);
        return [member, node];
      }),
    );
  }

  get heard(): Member {
    return this.#heard;
  }

  get playing(): boolean {
    return this.#running !== null;
  }

  /** Starts all members at `position_s`; `onEnded` fires when the end is reached,
   * which with a loop it never is. A position outside the loop is its beginning. */
  start(
    position_s: number,
    { loop = null, at_s = this.#soon(), onEnded = () => {} }: StartOptions = {},
  ): void {
    if (this.#running) return;
    const begin_s = this.#whenFree(at_s);
    const inside = !loop || (position_s >= loop.from_s && position_s < loop.to_s);
    const from_s = inside ? position_s : loop.from_s;
    const sounds = loop ? this.#cut(loop) : this.#whole;
    const sources = [...this.#gains].map(([member, gain]) => {
      const buffer = sounds.get(member) ?? null;
      const source = new AudioBufferSourceNode(this.#context, { buffer, loop: loop !== null });
      source.connect(gain);
      source.start(begin_s, from_s - (loop?.from_s ?? 0));
      return source;
    });
    const running = { startedAt_s: begin_s, from_s, loop, sources };
    this.#running = running;
    this.#ramp(this.#heard, "in", begin_s);
    sources[0]?.addEventListener("ended", () => {
      if (this.#running !== running) return;
      this.#running = null;
      this.#silence();
      onEnded();
    });
  }

  /** Fades out, stops all members, and returns the position reached. */
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
    if (member === this.#heard || !this.#gains.has(member)) return;
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
    for (const gain of this.#gains.values()) gain.disconnect();
  }

  #cut(region: Region): Map<Member, AudioBuffer> {
    const cut = new Map<Member, AudioBuffer>();
    for (const member of membersOf(this.#buffers)) {
      const buffer = this.#buffers[member];
      if (buffer) cut.set(member, faded(buffer, region));
    }
    return cut;
  }

  #positionOf({ startedAt_s, from_s, loop }: Running, at_s: number): number {
    const run_s = from_s + Math.max(0, at_s - startedAt_s);
    if (!loop) return Math.min(run_s, this.duration_s);
    return loop.from_s + ((run_s - loop.from_s) % (loop.to_s - loop.from_s));
  }

  #soon(): number {
    return this.#context.currentTime + LEAD_SECONDS;
  }

  #whenFree(at_s: number): number {
    return onSample(Math.max(at_s, this.#free_s), this.#context.sampleRate);
  }

  #ramp(member: Member, direction: "in" | "out", at_s: number): void {
    const rate_hz = this.#context.sampleRate;
    const samples = rampSamples(rate_hz);
    const length_s = samples / rate_hz;
    this.#gains
      .get(member)
      ?.gain.setValueCurveAtTime(raisedCosine(direction, samples + 1), at_s, length_s);
    // A sample of grace: rounding must not make two curves of one gain overlap.
    this.#free_s = at_s + length_s + 1 / rate_hz;
  }

  // The sources ended by themselves: no ramp is needed, but the next start must
  // find all gains closed. Not at once: the page hears of the end while the
  // audio thread still renders the last samples.
  #silence(): void {
    const at_s = this.#whenFree(this.#soon());
    for (const { gain } of this.#gains.values()) gain.setValueAtTime(0, at_s);
    this.#free_s = at_s + 1 / this.#context.sampleRate;
  }
}

interface StartOptions {
  readonly loop?: Region | null;
  readonly at_s?: number;
  readonly onEnded?: () => void;
}
