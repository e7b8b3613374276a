// Takes a page's picture at each width, whole, and numbers it in the order of taking.
// SPDX-License-Identifier: Apache-2.0
import { mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";

const WIDTHS = [1280, 390] as const;

/** Outside the checkout: pictures are to look at, not to keep. */
const FOLDER = process.env.THINLAB_SCREENSHOTS ?? join(tmpdir(), "thinlab-screenshots");

export class Pictures {
  readonly #of: string;
  #number = 0;

  /** `of`: what the files' names begin with. */
  constructor(of: string) {
    this.#of = of;
    mkdirSync(FOLDER, { recursive: true });
  }

  async take(page: Page, name: string): Promise<void> {
    this.#number += 1;
    const number = String(this.#number).padStart(2, "0");
    const before = page.viewportSize();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width > 800 ? 860 : 844 });
      const path = join(FOLDER, `${this.#of}-${number}-${name}-${width}.png`);
      await page.screenshot({ path, fullPage: true, animations: "disabled" });
    }
    if (before) await page.setViewportSize(before);
  }
}
