// What a page holds of a demo: its lanes' last minutes, its events, its figures.
// Memory is bounded however long a demo goes on.
// SPDX-License-Identifier: Apache-2.0

import type { DemoEvent, Moment } from "../../api/generated";
import { Lane } from "./lane";
import { Ring } from "./ring";

export type FeedMessage = Moment | DemoEvent;

const MOST_EVENTS = 1_000;

/** From when on what is drawn has changed. */
type Touched = (from_ms: number) => void;

export class FeedStore {
  lanes: readonly Lane[] = [];
  readonly events = new Ring<DemoEvent>(MOST_EVENTS);
  take_number = 0;
  /** Of the newest moment; −∞ before the first. */
  latest_ms = Number.NEGATIVE_INFINITY;
  /** Rises with whatever comes. */
  version = 0;
  /** Rises when the agent's figures or the lanes change: about once a second. */
  figures_version = 0;
  readonly #touched = new Set<Touched>();
  readonly #calm = new Set<() => void>();

  take(message: FeedMessage): void {
    if (this.#known(message)) return;
    this.version += 1;
    if (message.type === "event") {
      this.events.push(message);
      this.#touch(message.at_ms);
      this.#tellCalmly();
      return;
    }
    const from_ms = this.#takeMoment(message);
    if (from_ms !== null) this.#touch(from_ms);
  }

  /** A page that connects anew is told again what it missed, and what it did not. */
  #known(message: FeedMessage): boolean {
    if (message.type === "event") return message.number <= (this.events.last?.number ?? 0);
    return message.at_ms <= this.latest_ms;
  }

  #takeMoment(moment: Moment): number | null {
    if (moment.take !== this.take_number || moment.lanes.length !== this.lanes.length) {
      // Packets are numbered anew, so nothing of the take before could be told apart.
      this.lanes = moment.lanes.map(() => new Lane());
      this.take_number = moment.take;
      this.#touch(Number.NEGATIVE_INFINITY);
      this.#tellCalmly();
    }
    this.latest_ms = Math.max(this.latest_ms, moment.at_ms);
    let from_ms = moment.at_ms;
    let figures = false;
    for (const [index, lane] of this.lanes.entries()) {
      const own = moment.lanes[index];
      if (!own) continue;
      from_ms = Math.min(from_ms, lane.take(own, moment.at_ms));
      figures ||= own.whole != null;
    }
    if (figures) this.#tellCalmly();
    return from_ms;
  }

  /** Forgets everything, as when a replay is set back. */
  clear(): void {
    this.lanes = [];
    this.events.clear();
    this.take_number = 0;
    this.latest_ms = Number.NEGATIVE_INFINITY;
    this.version += 1;
    this.#touch(Number.NEGATIVE_INFINITY);
    this.#tellCalmly();
  }

  /** Told with whatever comes, several times a second. */
  onTouched(listener: Touched): () => void {
    this.#touched.add(listener);
    return () => this.#touched.delete(listener);
  }

  /** Told when figures, lanes or events are new. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#calm.add(listener);
    return () => this.#calm.delete(listener);
  };

  readonly figuresVersion = (): number => this.figures_version;

  #touch(from_ms: number): void {
    for (const listener of this.#touched) listener(from_ms);
  }

  #tellCalmly(): void {
    this.figures_version += 1;
    for (const listener of this.#calm) listener();
  }
}
