// A page that fits whoever looks at it: on a desk and in a hand.
// SPDX-License-Identifier: Apache-2.0
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";

const SIZES = [
  { width: 390, height: 844 },
  { width: 1280, height: 860 },
] as const;

/** Both widths of a page that is shown already, the wide one last; with a name, and a folder to put them into, as pictures, too. */
export async function expectFit(page: Page, name?: string): Promise<void> {
  const folder = process.env.THINLAB_SCREENSHOTS;
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expectAccessible(page);
    if (!folder || !name) continue;
    mkdirSync(folder, { recursive: true });
    await page.screenshot({ path: join(folder, `${name}-${size.width}.png`), fullPage: true });
  }
}
