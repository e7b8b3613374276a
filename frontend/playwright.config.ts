// End to end: Chromium against the real stack, which the global setup starts.
// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "@playwright/test";
import { chromium } from "./e2e/chromium.ts";

export default defineConfig({
  testDir: "e2e",
  // One stack, one database, and tests that kill parts of it: one at a time.
  workers: 1,
  timeout: 240_000,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  reporter: [["list"]],
  globalSetup: "./e2e/stack.ts",
  use: {
    browserName: "chromium",
    launchOptions: chromium,
    trace: "retain-on-failure",
    viewport: { width: 1280, height: 860 },
  },
});
