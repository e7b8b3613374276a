// What lanes are called, and so the one order in which they stand everywhere.
// SPDX-License-Identifier: Apache-2.0

/** In the order of their letters, which tells nothing where letters were drawn. */
export const inLetters = <Lane extends { readonly letter: string }>(
  lanes: readonly Lane[],
): Lane[] => lanes.toSorted((one, other) => one.letter.localeCompare(other.letter));
