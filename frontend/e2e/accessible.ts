// A page as everybody can use it: axe finds nothing, nothing sticks out.
// SPDX-License-Identifier: Apache-2.0
import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * No finding of axe for WCAG 2.2 AA, and no sideways scrolling of the page.
 * Tells by which rules axe looked, and those that do not apply to this page.
 */
export async function expectAccessible(page: Page): Promise<Set<string>> {
  // On its way from one colour to another a button has colours that nobody reads it in, and a
  // page still loading may set one off while axe looks. With less motion asked for there is none.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await colourTransitionsEnd(page);
  // Whole, in the page itself: by itself the builder opens another page for the results of frames
  // of other origins, of which there are none, and takes twice as long.
  const { violations, passes, incomplete, inapplicable } = await new AxeBuilder({ page })
    .setLegacyMode(true)
    .withTags(RULES)
    .analyze();
  await page.emulateMedia({ reducedMotion: "no-preference" });
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map((n) => n.html)}`);
  expect(findings).toEqual([]);
  const overhang_px = await page.evaluate(
    () => document.documentElement.scrollWidth - window.innerWidth,
  );
  expect(overhang_px).toBeLessThanOrEqual(0);
  return new Set([...passes, ...incomplete, ...inapplicable].map(({ id }) => id));
}

/** Those that had begun before. */
async function colourTransitionsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const ending = document
      .getAnimations()
      .filter(
        (animation) => animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY,
      );
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}
