// What a browser complains of while a page is open: errors, and what it refuses to load.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";

/** All of it from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  return complaints;
}
