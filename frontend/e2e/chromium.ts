// How the tests start Chromium: Debian's, and quiet on the network.
// SPDX-License-Identifier: Apache-2.0
import type { LaunchOptions } from "@playwright/test";

export const chromium: LaunchOptions = {
  executablePath: process.env.THINLAB_CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    // In a container the shared memory folder may be tiny.
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ],
};

/** The same engine without a browser's own windows, which cost two fifths of the processor. */
export const headlessShell: LaunchOptions = {
  ...chromium,
  executablePath: process.env.THINLAB_CHROMIUM ?? "/usr/bin/chromium-headless-shell",
};
