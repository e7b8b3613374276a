// SPDX-License-Identifier: Apache-2.0
import { join } from "node:path";
import { startOne, tell } from "../e2e/stack.ts";

export default async function start(): Promise<() => Promise<void>> {
  const started = await startOne({
    command: [".venv/bin/python", "-m", "tests.load.local_pty", "run"],
    studies: [join(import.meta.dirname, "study")],
    open: ["key-to-paint"],
  });
  tell([started.stack]);
  return started.stop;
}
