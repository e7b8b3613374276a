// The headphone test as values: rounds of three noises, one of which has the tone.
// Who may go on is the server's to say; the page only counts.
// SPDX-License-Identifier: Apache-2.0

export const ROUNDS = 6;
export const NOISES = 3;
/** How often the page offers the test before it goes on, or ends, without. */
export const MOST_TRIES = 2;
/** Guessing gets so many right in 1.8 of 100 cases. The server decides alike. */
const ENOUGH = 5;

export interface Screening {
  /** For each round, which noise has the tone: 0, 1 or 2. */
  readonly tones: readonly number[];
  readonly answers: readonly number[];
}

export function begin(random: () => number): Screening {
  const tones = Array.from({ length: ROUNDS }, () => Math.floor(random() * NOISES));
  return { tones, answers: [] };
}

export const answer = (screening: Screening, noise: number): Screening => ({
  ...screening,
  answers: [...screening.answers, noise],
});

export const isOver = ({ answers }: Screening): boolean => answers.length === ROUNDS;

export const correct = ({ tones, answers }: Screening): number =>
  answers.filter((noise, round) => noise === tones[round]).length;

export const isEnough = (screening: Screening): boolean => correct(screening) >= ENOUGH;
