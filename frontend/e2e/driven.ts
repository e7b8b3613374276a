// What only one browser's driver can do or tell: elsewhere a walk leaves it out.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";

/** WebDriver tells Firefox ESR no colour scheme, and nothing comes from it of files that a page made itself. */
export const inChromium = (page: Page): boolean =>
  page.context().browser()?.browserType().name() === "chromium";
