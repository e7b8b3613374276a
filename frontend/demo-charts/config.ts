// The demo's charts in Chromium on a feed that is made up, for measuring.
// SPDX-License-Identifier: Apache-2.0
import { singleRun } from "../singleRun.ts";

export default singleRun("frames per second", {
  testMatch: "framesPerSecond.ts",
  timeout: 300_000,
  globalSetup: ["./serve.ts", "../film/stack.ts"],
});
