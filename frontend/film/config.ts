// One run of the whole stack without a study, and Chromium on it.
// SPDX-License-Identifier: Apache-2.0
import { singleRun } from "../singleRun.ts";

export default singleRun("film", { testMatch: "film.ts", globalSetup: "./stack.ts" });
