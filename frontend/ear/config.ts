// One sound room and Chromium in it, nothing beside them.
// SPDX-License-Identifier: Apache-2.0
import { singleRun } from "../singleRun.ts";

export default singleRun("playout to ear", { testMatch: "playoutToEar.ts", globalSetup: "" });
