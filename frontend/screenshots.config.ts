// `pnpm screenshots`: every page at a desk's and a telephone's width, as pictures
// to look at, in the folder that THINLAB_SCREENSHOTS names. No test: nothing is
// compared. Uses the stack of the end-to-end tests, or the one at THINLAB_URL.
// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.ts";

export default defineConfig({
  ...tests,
  workers: 1,
  projects: [{ name: "screens" }],
  testMatch: "*.screens.ts",
  timeout: 600_000,
  outputDir: join(tmpdir(), "thinlab-screenshots-results"),
});
