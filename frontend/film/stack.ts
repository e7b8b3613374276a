// SPDX-License-Identifier: Apache-2.0

import { join } from "node:path";
import type { FullConfig } from "@playwright/test";
import given, { startOne, tell } from "../e2e/stack.ts";

/** A study that is typed: nothing is recorded beside the demo. */
export default async function start(config: FullConfig): Promise<() => Promise<void>> {
  if (process.env.THINLAB_URL) return given(config);
  const started = await startOne({
    command: [".venv/bin/thinlab", "run"],
    studies: [join(import.meta.dirname, "../key-to-paint/study")],
    open: ["key-to-paint"],
  });
  tell([started.stack]);
  return started.stop;
}
