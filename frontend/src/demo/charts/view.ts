// What all charts of a page show alike: which instant, how many seconds, whether
// they stand still, which packet is chosen.
// SPDX-License-Identifier: Apache-2.0
import type { Feed } from "../feed/feed";

/** With reduced motion the picture moves in steps of this. */
const STEP_MS = 500;

export interface ChosenPacket {
  readonly lane: number;
  readonly number: number;
}

export interface Shown {
  /** Of the packets and the sound. */
  readonly ladder_ms: number;
  /** Of latencies and sockets. */
  readonly history_ms: number;
  /** Where the charts stand still; null: they go on. */
  readonly frozen_ms: number | null;
  readonly chosen: ChosenPacket | null;
}

export class ChartView {
  readonly feed: Feed;
  #shown: Shown;
  #at_ms = Number.NaN;
  readonly #listeners = new Set<() => void>();
  readonly #calm_motion = matchMedia("(prefers-reduced-motion: reduce)");

  constructor(feed: Feed) {
    this.feed = feed;
    const narrow = matchMedia("(max-width: 40rem)").matches;
    this.#shown = {
      ladder_ms: narrow ? 2_000 : 5_000,
      history_ms: narrow ? 30_000 : 60_000,
      frozen_ms: null,
      chosen: null,
    };
  }

  /** Once a frame, before anything is drawn. */
  advance(now_ms: number): void {
    const at_ms = this.feed.advance(now_ms);
    this.#at_ms = this.#calm_motion.matches ? Math.floor(at_ms / STEP_MS) * STEP_MS : at_ms;
  }

  /** The instant at the right edge; NaN: nothing to show yet. */
  get now_ms(): number {
    return this.#shown.frozen_ms ?? this.#at_ms;
  }

  readonly shown = (): Shown => this.#shown;

  set(change: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...change };
    for (const listener of this.#listeners) listener();
  }

  freeze(): void {
    if (this.#shown.frozen_ms === null && !Number.isNaN(this.#at_ms)) {
      this.set({ frozen_ms: this.#at_ms });
    }
  }

  /** Where the charts would be if they did not stand still. */
  get latest_ms(): number {
    return this.#at_ms;
  }

  /** The nearest instant to one that has been shown already. */
  within(at_ms: number): number {
    return Math.min(at_ms, this.#at_ms);
  }

  goOn(): void {
    this.set({ frozen_ms: null, chosen: null });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}
