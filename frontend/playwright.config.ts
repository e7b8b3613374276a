// End to end: Chromium against the real stack, which the global setup starts.
// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "@playwright/test";
import { chromium, headlessShell } from "./e2e/chromium.ts";

// What measures short times, and so bears nobody beside it.
const ALONE = "firstByte.spec.ts";
// Signs out whoever else is at work on its stack.
const LAST = "access.spec.ts";
// In the browser that people have: the three walks, what needs a microphone, and what measures.
const WALKS = ["vote.spec.ts", "typing.spec.ts", "demo.spec.ts"];
const IN_BROWSER = [...WALKS, "demo-microphone.spec.ts", "https.spec.ts"];
// All else is a matter of the engine.
const inShell = { use: { launchOptions: headlessShell } };
// Against containers: playwright.containers.config.ts.
const CONTAINERS = "containers/**";

export default defineConfig({
  testDir: "e2e",
  // Most of a test's time is sound and typing at their real length, so several go on
  // beside each other, as many as setup/side-by-side says. Each worker has a stack of
  // its own, parts of which tests kill.
  workers: process.env.THINLAB_URL ? 1 : Number(process.env.THINLAB_SIDE_BY_SIDE ?? 2),
  timeout: 240_000,
  // Sound and keys go in real time, on machines that stand still now and then. A test may be
  // tried once more; the end of the run names it and says what went wrong. Tests that prove
  // that nothing tells the condition are not: a leak that is seen once is a leak.
  retries: 1,
  expect: { timeout: 30_000 },
  forbidOnly: true,
  reporter: [["list"], ["./e2e/failuresLast.ts"]],
  globalSetup: "./e2e/stack.ts",
  projects: [
    { name: "together", testIgnore: [...IN_BROWSER, ALONE, LAST, CONTAINERS], ...inShell },
    { name: "in the browser", testMatch: IN_BROWSER },
    { name: "alone", testMatch: ALONE, dependencies: ["together", "in the browser"] },
    { name: "last", testMatch: LAST, dependencies: ["alone"], ...inShell },
  ],
  use: {
    browserName: "chromium",
    launchOptions: chromium,
    // Traces of all that passes cost a tenth of the processor: for what fails, `--trace on`.
    trace: "off",
    viewport: { width: 1280, height: 860 },
  },
});
