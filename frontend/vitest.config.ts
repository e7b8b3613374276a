// Two kinds of tests: pure logic in Node, and whatever needs the browser's
// audio graph or database in Chromium itself (files named *.browser.test).
// SPDX-License-Identifier: Apache-2.0
import react from "@vitejs/plugin-react";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import { headlessShell } from "./e2e/chromium.ts";

// A test has no hand to click with before the first sound.
const args = [...(headlessShell.args ?? []), "--autoplay-policy=no-user-gesture-required"];

export default defineConfig({
  plugins: [react()],
  // Named, so that the browser need not start again when it meets them.
  optimizeDeps: {
    include: ["@xterm/xterm", "axe-core", "clsx", "idb", "openapi-fetch", "uqr", "wouter"],
  },
  test: {
    testTimeout: 30_000,
    projects: [
      {
        extends: true,
        test: {
          name: "logic",
          include: ["src/**/*.test.{ts,tsx}"],
          exclude: ["src/**/*.browser.test.{ts,tsx}"],
          environment: "node",
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["src/**/*.browser.test.{ts,tsx}"],
          browser: {
            enabled: true,
            headless: true,
            connectTimeout: 180_000,
            screenshotFailures: false,
            provider: playwright({ launchOptions: { ...headlessShell, args } }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
    ],
  },
});
