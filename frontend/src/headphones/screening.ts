// The headphone test as values: rounds of three noises, one of which has the tone.
// Which one, and who may go on, is the server's to say; the page collects answers.
// SPDX-License-Identifier: Apache-2.0

export const ROUNDS = 6;
export const NOISES = 3;
/** How often the page offers the test before it goes on, or ends, without. */
export const MOST_TRIES = 2;
