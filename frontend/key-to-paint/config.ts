// One run of the whole stack with a bare local pty beside it, and Chromium on it.
// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: "keyToPaint.ts",
  workers: 1,
  projects: [{ name: "key to paint" }],
  timeout: 600_000,
  globalSetup: "./stack.ts",
  outputDir: join(tmpdir(), "thinlab-key-to-paint-results"),
  // Figures alone are printed on standard output.
  reporter: [["line"]],
  use: { ...tests.use, trace: "off" },
});
