// One run of the whole stack with a bare local pty beside it, and Chromium on it.
// SPDX-License-Identifier: Apache-2.0
import { singleRun } from "../singleRun.ts";

export default singleRun("key to paint", { testMatch: "keyToPaint.ts", globalSetup: "./stack.ts" });
