// Says at the very end what failed and why: of a long run often only the end is kept.
// SPDX-License-Identifier: Apache-2.0
import { stripVTControlCharacters } from "node:util";
import type { FullConfig, Reporter, Suite, TestCase } from "@playwright/test/reporter";

const MOST_LINES = 8;

export default class FailuresLast implements Reporter {
  #tests: TestCase[] = [];

  onBegin(_: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
  }

  async onExit(): Promise<void> {
    for (const test of this.#tests.filter((test) => test.outcome() === "unexpected")) {
      const { file, line } = test.location;
      process.stdout.write(`\n✘ ${file.split("/").at(-1)}:${line} ${test.title}\n`);
      for (const { message = "" } of test.results.at(-1)?.errors ?? []) {
        const lines = stripVTControlCharacters(message).split("\n");
        const some = lines.filter((text) => text.trim()).slice(0, MOST_LINES);
        process.stdout.write(some.map((text) => `    ${text}\n`).join(""));
      }
    }
  }
}
