// Which instant of the demo a page shows: the server's time, late by as little
// as lets the feed's own jitter pass unseen. It never jumps while moments come;
// it runs a little faster or slower until it is where it should be.
// SPDX-License-Identifier: Apache-2.0

/** What is remembered of the feed's pace. */
const REMEMBERED_MS = 20_000;
/** Moments that come in time to be drawn at the edge; the rest is drawn a little inside it,
 * which is better than all being later for one that was held up. */
const SEEN_IN_TIME = 0.97;
/** For a frame to be drawn and shown after its moment came. */
const MARGIN_MS = 35;
const LEAST_DELAY_MS = 120;
/** Together with the way of a moment and a frame it stays below a second. */
const MOST_DELAY_MS = 850;
/** How much faster or slower the clock may run: nobody sees five in a hundred. */
const SLEW = 0.05;
/** What comes together was waiting somewhere, and tells of the time of the last one. */
const TOGETHER_MS = 20;
/** Farther off than this it is set: a laptop slept, a network was away. */
const TOO_FAR_MS = 2_000;

interface Arrival {
  readonly at_ms: number;
  readonly now_ms: number;
  /** The page's clock less the demo's. */
  readonly offset_ms: number;
}

export class DisplayClock {
  #arrivals: Arrival[] = [];
  #last_came_ms = Number.NEGATIVE_INFINITY;
  #shown_ms = Number.NaN;
  #last_now_ms = 0;
  #target_offset_ms = Number.NaN;

  /** A moment that tells of everything up to `at_ms` came at `now_ms`. */
  arrived(at_ms: number, now_ms: number): void {
    const last = this.#arrivals.at(-1);
    if (last && at_ms <= last.at_ms) return;
    if (last && now_ms - last.now_ms > TOO_FAR_MS) this.#arrivals = [];
    const together = last && now_ms - this.#last_came_ms < TOGETHER_MS;
    this.#last_came_ms = now_ms;
    const arrival = { at_ms, now_ms: together ? last.now_ms : now_ms, offset_ms: now_ms - at_ms };
    if (together) this.#arrivals[this.#arrivals.length - 1] = arrival;
    else this.#arrivals.push(arrival);
    while ((this.#arrivals[0]?.now_ms ?? now_ms) < now_ms - REMEMBERED_MS) this.#arrivals.shift();
    this.#target_offset_ms = this.#quickest_ms() + this.delay_ms;
  }

  /** How far behind the quickest moments the page stays. */
  get delay_ms(): number {
    const quickest_ms = this.#quickest_ms();
    const waits_ms: number[] = [];
    // What a moment tells must last until the next one has come.
    for (const [index, { at_ms, offset_ms }] of this.#arrivals.entries()) {
      const next = this.#arrivals[index + 1];
      // What a page that comes late is told of the time before says nothing of the pace.
      const old = offset_ms - quickest_ms > MOST_DELAY_MS;
      if (next && !old) waits_ms.push(next.now_ms - at_ms - quickest_ms);
    }
    waits_ms.sort((one, other) => one - other);
    const wait_ms = waits_ms[Math.ceil(waits_ms.length * SEEN_IN_TIME) - 1] ?? 0;
    return Math.min(MOST_DELAY_MS, Math.max(LEAST_DELAY_MS, wait_ms + MARGIN_MS));
  }

  /** What is shown at `now_ms`; NaN before the first moment. Asked with a rising `now_ms`. */
  at(now_ms: number): number {
    const target_ms = now_ms - this.#target_offset_ms;
    const passed_ms = Math.max(0, now_ms - this.#last_now_ms);
    this.#last_now_ms = now_ms;
    const expected_ms = this.#shown_ms + passed_ms;
    const off_ms = target_ms - expected_ms;
    if (Number.isNaN(off_ms) || Math.abs(off_ms) > TOO_FAR_MS) {
      this.#shown_ms = target_ms;
    } else {
      const most_ms = passed_ms * SLEW;
      this.#shown_ms = expected_ms + Math.min(most_ms, Math.max(-most_ms, off_ms));
    }
    return this.#shown_ms;
  }

  #quickest_ms(): number {
    let quickest_ms = Number.POSITIVE_INFINITY;
    for (const { offset_ms } of this.#arrivals) quickest_ms = Math.min(quickest_ms, offset_ms);
    return quickest_ms;
  }
}
