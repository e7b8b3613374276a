// `make test-firefox`: the walks of the end-to-end tests in Firefox, as they are.
// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "@playwright/test";
import { firefox } from "./e2e/firefox.ts";
import chromium from "./playwright.config.ts";

const WALKS = [
  "vote.spec.ts",
  "typing.spec.ts",
  "desk.spec.ts",
  "demo.spec.ts",
  "demo-sound.spec.ts",
  "screening.spec.ts",
  "panel.spec.ts",
  "rated.spec.ts",
  "adaptive.spec.ts",
];

export default defineConfig({
  ...chromium,
  projects: [{ name: "firefox", testMatch: WALKS }],
  use: {
    ...chromium.use,
    browserName: "firefox",
    launchOptions: firefox,
    // Firefox ESR cannot be told another one than its own.
    colorScheme: null,
  },
});
