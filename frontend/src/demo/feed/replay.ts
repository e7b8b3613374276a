// A demo that is over, from its saved feed: at any speed, set anywhere, paused.
// SPDX-License-Identifier: Apache-2.0
import type { Moment } from "../../api/generated";
import type { Feed } from "./feed";
import { type FeedMessage, FeedStore } from "./store";

/** What must be known before an instant so that all charts are full. */
const BEFORE_MS = 6 * 60_000;
/** What a live page knows already of what it will show, about. */
const AHEAD_MS = 250;

/** A page that was out of sight does not come back somewhere else. */
const MOST_AT_ONCE_MS = 1_000;

/** Says which instant it is while the replay plays, such as by what is heard; NaN: it does not. */
export type Leader = () => number;

/** A saved message as it was sent, read only when it is needed: an hour of them
 * would fill the memory otherwise. */
interface Saved {
  readonly at_ms: number;
  readonly event: boolean;
  readonly line: string;
}

export class ReplayFeed implements Feed {
  readonly store = new FeedStore();
  #saved: Saved[] = [];
  /** How many of them the store has. */
  #taken = 0;
  #at_ms = 0;
  #last_now_ms = Number.NaN;
  #playing = false;
  #speed = 1;
  #seeks = 0;
  #leader: Leader = () => Number.NaN;
  readonly #changed = new Set<() => void>();
  #version = 0;

  /** More of the saved feed's lines, in order. */
  append(lines: Iterable<string>): void {
    for (const line of lines) {
      if (line.trim() === "") continue;
      const { at_ms, type } = JSON.parse(line) as FeedMessage;
      if (type !== "moment" && type !== "event") continue;
      this.#saved.push({ at_ms, event: type === "event", line });
    }
    this.#tell();
  }

  get start_ms(): number {
    return this.#saved[0]?.at_ms ?? 0;
  }

  get end_ms(): number {
    return this.#saved.at(-1)?.at_ms ?? 0;
  }

  get at_ms(): number {
    return Math.max(this.start_ms, this.#at_ms);
  }

  get playing(): boolean {
    return this.#playing;
  }

  get speed(): number {
    return this.#speed;
  }

  /** How often it was set anywhere, for who follows it. */
  get seeks(): number {
    return this.#seeks;
  }

  /** Whoever leads from now on. */
  follow(leader: Leader): void {
    this.#leader = leader;
  }

  /** All events of the demo, for a bar to seek on. */
  events(): FeedMessage[] {
    return this.#saved.filter(({ event }) => event).map(({ line }) => JSON.parse(line));
  }

  /** Saved moments from one on, in order; as many as one may wait for, and which comes next. */
  moments(from: number, count: number): { readonly moments: Moment[]; readonly next: number } {
    const next = Math.min(this.#saved.length, from + count);
    const some = this.#saved.slice(from, next).filter(({ event }) => !event);
    return { moments: some.map(({ line }) => JSON.parse(line) as Moment), next };
  }

  play(): void {
    // At the end, playing begins anew.
    if (this.at_ms >= this.end_ms) this.seek(this.start_ms);
    this.#playing = true;
    this.#last_now_ms = Number.NaN;
    this.#tell();
  }

  pause(): void {
    this.#playing = false;
    this.#tell();
  }

  setSpeed(speed: number): void {
    this.#speed = speed;
    this.#tell();
  }

  seek(to_ms: number): void {
    this.#seeks += 1;
    this.#goTo(Math.min(this.end_ms, Math.max(this.start_ms, to_ms)));
    this.#tell();
  }

  advance(now_ms: number): number {
    if (this.#saved.length === 0) return Number.NaN;
    const passed_ms = Math.min(MOST_AT_ONCE_MS, now_ms - this.#last_now_ms) || 0;
    this.#last_now_ms = now_ms;
    if (this.#playing) {
      const led_ms = this.#leader();
      const next_ms = Number.isNaN(led_ms) ? this.at_ms + passed_ms * this.#speed : led_ms;
      this.#goTo(Math.min(this.end_ms, Math.max(this.at_ms, next_ms)));
      if (this.#at_ms >= this.end_ms) this.pause();
    }
    return this.at_ms;
  }

  /** For a page that shows where the replay is; it asks about that by itself. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#changed.add(listener);
    return () => this.#changed.delete(listener);
  };

  readonly version = (): number => this.#version;

  #goTo(at_ms: number): void {
    const from_ms = at_ms - BEFORE_MS;
    // Going on from where the store is would tell it all that lies between.
    const far = (this.#saved[this.#taken]?.at_ms ?? at_ms) < from_ms;
    if (at_ms < this.#at_ms || far) {
      this.store.clear();
      this.#taken = firstFrom(this.#saved, from_ms);
    }
    this.#at_ms = at_ms;
    this.#takeUntilShown();
  }

  #takeUntilShown(): void {
    for (let next = this.#saved[this.#taken]; next; next = this.#saved[this.#taken]) {
      if (next.at_ms > this.#at_ms + AHEAD_MS) return;
      this.store.take(JSON.parse(next.line) as FeedMessage);
      this.#taken += 1;
    }
  }

  #tell(): void {
    this.#version += 1;
    for (const listener of this.#changed) listener();
  }
}

function firstFrom(saved: readonly Saved[], from_ms: number): number {
  let low = 0;
  let high = saved.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((saved[middle] as Saved).at_ms < from_ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
