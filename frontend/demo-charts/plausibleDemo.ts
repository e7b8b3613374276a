// A feed that looks like a demo's, for tests and for looking: lanes that bundle and
// lanes that wait for a retransmission, all of which meet the same losses.
// SPDX-License-Identifier: Apache-2.0
import type { DemoEvent, Moment } from "../src/api/generated";
import { PlausibleLane } from "./plausibleLane";

export class PlausibleDemo {
  readonly #lanes: PlausibleLane[];
  #event = 0;

  /** Which lanes bundle; all meet the same losses. */
  constructor(bundles: readonly boolean[], iat_ms: number) {
    this.#lanes = bundles.map((own) => new PlausibleLane(own, iat_ms, 7));
  }

  /** What the feed says at `at_ms`, a multiple of 100 ms that rises. */
  until(at_ms: number): (Moment | DemoEvent)[] {
    const told: (Moment | DemoEvent)[] = [];
    if (at_ms % 20_000 === 0) told.push(this.#mark(at_ms));
    told.push({
      type: "moment",
      at_ms,
      take: 1,
      lanes: this.#lanes.map((lane) => lane.moment(at_ms)),
    });
    return told;
  }

  #mark(at_ms: number): DemoEvent {
    this.#event += 1;
    return {
      type: "event",
      number: this.#event,
      at_ms: at_ms - 50,
      take: 1,
      kind: this.#event % 2 ? "lane" : "mark",
      who: "presenter",
      text: this.#event % 2 ? "Lane B: all on newreno2008" : "Mark",
      lanes: this.#event % 2 ? [1] : [],
    };
  }
}
