// What lanes are called, and so the one order in which they stand everywhere.
// SPDX-License-Identifier: Apache-2.0

const LETTERS = "ABCD";

/** Of the one at this place in the order of letters, from 0. */
export const letterAt = (place: number): string => LETTERS.charAt(place);

/** From 0; that of A for what is no letter of a lane. */
export const placeOf = (letter: string): number => Math.max(0, LETTERS.indexOf(letter));

/** In the order of their letters, which tells nothing where letters were drawn. */
export const inLetters = <Lane extends { readonly letter: string }>(
  lanes: readonly Lane[],
): Lane[] => lanes.toSorted((one, other) => one.letter.localeCompare(other.letter));
