// One run of the whole stack without a study, and Chromium on it.
// SPDX-License-Identifier: Apache-2.0
import { singleRun } from "../singleRun.ts";

export default singleRun("toggle to chart", {
  testMatch: "toggleToChart.ts",
  timeout: 300_000,
  globalSetup: "../film/stack.ts",
});
