// The README's pictures, of a whole stack and all that is real on it: `make pictures`.
// SPDX-License-Identifier: Apache-2.0
import { singleRun } from "../singleRun.ts";

export default singleRun("pictures", {
  testMatch: "pictures.ts",
  globalSetup: "../e2e/stack.ts",
});
