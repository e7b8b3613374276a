// A demo's feed as the charts take it, wherever it comes from.
// SPDX-License-Identifier: Apache-2.0
import { DisplayClock } from "./clock";
import { type FeedMessage, FeedStore } from "./store";

export interface Feed {
  readonly store: FeedStore;
  /** Which instant is to be shown at `now_ms` of the page's clock; the store
   * then holds all that is known of it. NaN: nothing yet. */
  advance(now_ms: number): number;
}

/** What a running demo's socket hands on. */
export class LiveFeed implements Feed {
  readonly store = new FeedStore();
  readonly #clock = new DisplayClock();

  take(message: FeedMessage, now_ms: number = performance.now()): void {
    if (message.type === "moment") this.#clock.arrived(message.at_ms, now_ms);
    this.store.take(message);
  }

  advance(now_ms: number): number {
    return this.#clock.at(now_ms);
  }
}
