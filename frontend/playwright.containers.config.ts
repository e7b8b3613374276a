// Chromium against containers that setup/compose/test has brought up.
// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "@playwright/test";
import alone from "./playwright.config.ts";

export default defineConfig({
  ...alone,
  testDir: "e2e/containers",
  workers: 1,
  timeout: 600_000,
  // Nothing here is tried only because something else happened: the votes are counted last.
  fullyParallel: false,
  projects: [{ name: "containers" }],
  // The proxy's certificate is nobody's.
  use: { ...alone.use, ignoreHTTPSErrors: true },
});
