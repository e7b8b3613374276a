// The README's pictures, of a whole stack and all that is real on it: `make pictures`.
// SPDX-License-Identifier: Apache-2.0
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { defineConfig } from "@playwright/test";
import tests from "../playwright.config.ts";

export default defineConfig({
  ...tests,
  testDir: ".",
  testMatch: "pictures.ts",
  workers: 1,
  projects: [{ name: "pictures" }],
  timeout: 600_000,
  globalSetup: resolve(import.meta.dirname, "../e2e/stack.ts"),
  outputDir: join(tmpdir(), "thinlab-pictures-results"),
  reporter: [["line"]],
  use: { ...tests.use, trace: "off" },
});
