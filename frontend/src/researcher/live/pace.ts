// How often to ask again: a study of thousands takes the server a moment, and
// that moment is not to be all that it does.
// SPDX-License-Identifier: Apache-2.0

/** At most this share of the time is spent in asking. */
const SHARE = 0.1;

export interface Pace {
  /** Asks, and remembers how long the answer took. */
  readonly timed: <T>(ask: () => Promise<T>) => Promise<T>;
  /** The pause until the next one, never shorter than the given. */
  readonly pause_ms: (least_ms: number) => number;
}

export function pace(now: () => number = () => performance.now()): Pace {
  let took_ms = 0;
  return {
    timed: async (ask) => {
      const from_ms = now();
      const answer = await ask();
      took_ms = now() - from_ms;
      return answer;
    },
    pause_ms: (least_ms) => Math.max(least_ms, took_ms / SHARE),
  };
}
