// What is heard of a replay: all lanes run beside each other, sample beside sample,
// and a switch fades from one into the other, as the room's own did.
// SPDX-License-Identifier: Apache-2.0
import { raisedCosine, rampSamples } from "../../../player/fade";
import { LEAD_SECONDS, onSample } from "../../../player/pair";
import type { Decoded } from "./pieces";

interface Running {
  /** This instant of the context … */
  readonly at_s: number;
  /** … is this one of the demo. */
  readonly at_ms: number;
  readonly sources: Set<AudioBufferSourceNode>;
}

export class LaneGraph {
  readonly #context: BaseAudioContext;
  readonly #destination: AudioNode;
  readonly #gates = new Map<string, GainNode>();
  #heard: string;
  #running: Running | null = null;
  /** Until then a ramp goes on: two of one gain must not overlap. */
  #free_s = 0;

  constructor(context: BaseAudioContext, destination: AudioNode, heard: string) {
    this.#context = context;
    this.#destination = destination;
    this.#heard = heard;
  }

  /** From now on the demo's time passes, `at_ms` first. */
  begin(at_ms: number): void {
    this.end();
    const at_s = this.#soon();
    this.#running = { at_s, at_ms, sources: new Set() };
    this.#ramp(this.#heard, "in", at_s);
  }

  /** Sound at its place; what of it has passed is left out. */
  add(from_ms: number, length_ms: number, lanes: Decoded): void {
    const running = this.#running;
    if (!running) return;
    const { sampleRate, currentTime } = this.#context;
    const begin_s = onSample(running.at_s + (from_ms - running.at_ms) / 1000, sampleRate);
    const soon_s = Math.max(running.at_s, currentTime + LEAD_SECONDS);
    const passed_s = Math.max(0, onSample(soon_s - begin_s, sampleRate));
    const left_s = length_ms / 1000 - passed_s;
    if (left_s <= 0) return;
    for (const [letter, buffer] of lanes) {
      const source = new AudioBufferSourceNode(this.#context, { buffer });
      source.connect(this.#gate(letter));
      source.addEventListener("ended", () => running.sources.delete(source));
      source.start(begin_s + passed_s, passed_s, left_s);
      running.sources.add(source);
    }
  }

  /** Makes another lane the audible one. */
  switchTo(letter: string): void {
    if (letter === this.#heard) return;
    const before = this.#heard;
    this.#heard = letter;
    if (!this.#running) return;
    const at_s = this.#soon();
    this.#ramp(before, "out", at_s);
    this.#ramp(letter, "in", at_s);
  }

  /** Which instant of the demo the context's instant is; NaN: none passes. */
  at_ms(at_s: number): number {
    if (!this.#running) return Number.NaN;
    return this.#running.at_ms + 1000 * Math.max(0, at_s - this.#running.at_s);
  }

  /** Fades out; the demo's time stands. */
  end(): void {
    const running = this.#running;
    if (!running) return;
    this.#running = null;
    this.#ramp(this.#heard, "out", this.#soon());
    for (const source of running.sources) source.stop(this.#free_s);
  }

  #gate(letter: string): GainNode {
    let gate = this.#gates.get(letter);
    if (!gate) {
      gate = new GainNode(this.#context, { gain: 0 });
      gate.connect(this.#destination);
      this.#gates.set(letter, gate);
    }
    return gate;
  }

  #soon(): number {
    const { currentTime, sampleRate } = this.#context;
    return onSample(Math.max(currentTime + LEAD_SECONDS, this.#free_s), sampleRate);
  }

  #ramp(letter: string, direction: "in" | "out", at_s: number): void {
    const { sampleRate } = this.#context;
    const samples = rampSamples(sampleRate);
    const { gain } = this.#gate(letter);
    gain.setValueCurveAtTime(raisedCosine(direction, samples + 1), at_s, samples / sampleRate);
    // A sample of grace: rounding must not make two curves of one gain overlap.
    this.#free_s = Math.max(this.#free_s, at_s + (samples + 1) / sampleRate);
  }
}
