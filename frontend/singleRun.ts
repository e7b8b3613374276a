// Playwright as a driver of one long run by itself, as a measurement or a film is: one worker,
// nothing kept of how it went, and no time limit of a test's.
// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlaywrightTestConfig } from "@playwright/test";
import tests from "./playwright.config.ts";

/** Paths are relative to the config that exports it. */
export const singleRun = (
  name: string,
  own: Pick<PlaywrightTestConfig, "testDir" | "testMatch" | "globalSetup" | "timeout">,
): PlaywrightTestConfig => ({
  ...tests,
  testDir: ".",
  workers: 1,
  projects: [{ name }],
  timeout: 600_000,
  outputDir: join(tmpdir(), `thinlab-${name.replaceAll(" ", "-")}-results`),
  // What a run has to tell, its figures, is all that is printed on standard output.
  reporter: [["line"]],
  ...own,
});
