// Fingers that type as people do: each interval between two keys drawn anew, the
// same in every run.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";
import { seeded } from "../seededNumbers.ts";

/** Of the logarithm of intervals between keys (Dhakal et al. 2018 found medians of 100 to 250 ms). */
const MEDIAN_INTERVAL_MS = 170;
const SPREAD = 0.45;
const LONGEST_INTERVAL_MS = 600;
const HOLD_MS = 75;
const WORDS = "a thin stream runs far and carries little but it is waited for by many";

/** So many keys, with a new line now and then. */
export async function typeLikePeople(page: Page, keys: number): Promise<void> {
  const draw = seeded(7);
  const pause = (wait_ms: number) => new Promise((resolve) => setTimeout(resolve, wait_ms));
  for (let key = 0; key < keys; key++) {
    const sign = key % 50 === 49 ? "Enter" : (WORDS[key % WORDS.length] ?? "x");
    await page.keyboard.down(sign);
    await pause(HOLD_MS);
    await page.keyboard.up(sign);
    const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
    const interval_ms = MEDIAN_INTERVAL_MS * Math.exp(SPREAD * normal);
    await pause(Math.max(0, Math.min(LONGEST_INTERVAL_MS, interval_ms) - HOLD_MS));
  }
}
