// What a test in a browser finds wrong with a part of a page, by WCAG 2.2 AA.
// SPDX-License-Identifier: Apache-2.0
import axe from "axe-core";

/** What is of a whole page is not asked of a part. */
const WCAG = { runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] };

/** The names of the rules that it breaks. */
export async function faultsOf(place: HTMLElement): Promise<readonly string[]> {
  const { violations } = await axe.run(place, WCAG);
  return violations.map(({ id }) => id);
}
