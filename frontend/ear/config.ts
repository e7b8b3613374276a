// One sound room and Chromium in it, nothing beside them.
// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: "playoutToEar.ts",
  workers: 1,
  projects: [{ name: "playout to ear" }],
  timeout: 600_000,
  globalSetup: "",
  outputDir: join(tmpdir(), "thinlab-ear-results"),
  // Figures alone are printed on standard output.
  reporter: [["line"]],
  use: { ...tests.use, trace: "off" },
});
