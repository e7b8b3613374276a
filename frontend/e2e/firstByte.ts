// Whether the time to the first byte tells one recording from another, measured
// as a participant could: inside the page, by the browser's own clock.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";

const ROUNDS = 60;
/** Of calling a difference where there is none, over all comparisons of a session. */
const LEVEL = 1e-6;
/** What the way over a network hides anyway is no leak, however sure we are of it. */
const LEAST_MS = 0.5;

/** For each token, how long the first byte took in each round; in a new order each round. */
export function firstByte_ms(
  page: Page,
  participant_token: string,
  tokens: readonly string[],
): Promise<number[][]> {
  return page.evaluate(
    async ({ participant_token, tokens, rounds }) => {
      const times: number[][] = tokens.map(() => []);
      const headers = { Authorization: `Bearer ${participant_token}` };
      for (let round = 0; round < rounds; round++) {
        const order = tokens.map((_, place) => place).sort(() => Math.random() - 0.5);
        for (const place of order) {
          const begin = performance.now();
          const answer = await fetch(`/api/recordings/${tokens[place]}`, { headers });
          times[place]?.push(performance.now() - begin);
          await answer.arrayBuffer();
        }
      }
      return times;
    },
    { participant_token, tokens, rounds: ROUNDS },
  );
}

/** The sign test of each two recordings, round by round: a busy machine slows
 * whole rounds down, and only what is slower again and again is found. */
export function timingLeaks(times_ms: readonly number[][]): string[] {
  const pairs = times_ms.flatMap((one, index) =>
    times_ms.slice(index + 1).map((other) => [one, other] as const),
  );
  const surest = Math.min(...pairs.map(([one, other]) => signTest(one, other)));
  const medians = times_ms.map(median);
  const apart_ms = Math.max(...medians) - Math.min(...medians);
  if (surest * pairs.length >= LEVEL || apart_ms < LEAST_MS) return [];
  return [`first byte: ${apart_ms.toFixed(1)} ms apart, p = ${surest.toExponential(1)}`];
}

/** Two-sided and exact: how probable so lopsided a row of tosses is. */
function signTest(one: readonly number[], other: readonly number[]): number {
  const signs = one.map((time, round) => Math.sign(time - (other[round] ?? time)));
  const [above, below] = [1, -1].map((sign) => signs.filter((is) => is === sign).length) as [
    number,
    number,
  ];
  const tosses = above + below;
  let [term, tail] = [0.5 ** tosses, 0];
  for (let heads = 0; heads <= Math.min(above, below); heads++) {
    tail += term;
    term *= (tosses - heads) / (heads + 1);
  }
  return Math.min(1, 2 * tail);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  return ((sorted[middle] ?? 0) + (sorted[sorted.length - 1 - middle] ?? 0)) / 2;
}
