// How the tests start Chromium: Debian's, quiet on the network, with sound
// allowed to start before a click.
// SPDX-License-Identifier: Apache-2.0
import type { LaunchOptions } from "@playwright/test";

export const chromium: LaunchOptions = {
  executablePath: process.env.THINLAB_CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // The tests click like people do, but not always before the first sound.
    "--autoplay-policy=no-user-gesture-required",
  ],
};
