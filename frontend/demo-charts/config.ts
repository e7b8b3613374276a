// The demo's charts in Chromium on a feed that is made up, for measuring.
// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: "framesPerSecond.ts",
  workers: 1,
  projects: [{ name: "frames per second" }],
  timeout: 300_000,
  globalSetup: ["./serve.ts", "../film/stack.ts"],
  outputDir: join(tmpdir(), "thinlab-demo-charts-results"),
  // Figures alone are printed on standard output.
  reporter: [["line"]],
  use: { ...tests.use, trace: "off" },
});
