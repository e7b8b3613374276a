// One run of the whole stack without a study, and Chromium on it.
// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: "toggleToChart.ts",
  workers: 1,
  projects: [{ name: "toggle to chart" }],
  timeout: 300_000,
  globalSetup: "../film/stack.ts",
  outputDir: join(tmpdir(), "thinlab-toggle-to-chart-results"),
  // Figures alone are printed on standard output.
  reporter: [["line"]],
  use: { ...tests.use, trace: "off" },
});
