// How the tests start Firefox: Debian's, driven by WebDriver BiDi, which Playwright
// speaks to a Firefox of a "moz-" channel.
// SPDX-License-Identifier: Apache-2.0
import type { LaunchOptions } from "@playwright/test";

export const firefox: LaunchOptions = {
  channel: "moz-firefox",
  executablePath: process.env.THINLAB_FIREFOX ?? "/usr/bin/firefox-esr",
  // Playwright's own are quiet on the network but for this.
  firefoxUserPrefs: { "network.captive-portal-service.enabled": false },
};
