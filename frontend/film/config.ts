// One run of the whole stack without a study, and Chromium on it.
// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: "film.ts",
  workers: 1,
  projects: [{ name: "film" }],
  timeout: 600_000,
  globalSetup: "./stack.ts",
  outputDir: join(tmpdir(), "thinlab-film-results"),
  reporter: [["line"]],
  use: { ...tests.use, trace: "off" },
});
