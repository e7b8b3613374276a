// The headphone test as values: rounds of three sounds, one of which is the right one.
// Which one, and who may go on, is the server's to say; the page collects answers.
// SPDX-License-Identifier: Apache-2.0

export const ROUNDS = 6;
export const SOUNDS = 3;
