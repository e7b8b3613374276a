// Says at the very end what failed and why, and what passed only when it was tried again: of a
// long run often only the end is kept.
// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";

const MOST_LINES = 8;
/** Of what the page showed. */
const MOST_SHOWN = 60;
const MARKS = { flaky: "⚠ passed when tried again:", unexpected: "✘" };

export default class FailuresLast implements Reporter {
  #tests: TestCase[] = [];

  onBegin(_: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
  }

  async onExit(): Promise<void> {
    for (const test of this.#tests.filter((test) => test.outcome() in MARKS)) {
      const { file, line } = test.location;
      const mark = MARKS[test.outcome() as keyof typeof MARKS];
      process.stdout.write(`\n${mark} ${file.split("/").at(-1)}:${line} ${test.title}\n`);
      for (const { message = "" } of test.results[0]?.errors ?? []) {
        const lines = stripVTControlCharacters(message).split("\n");
        const some = lines.filter((text) => text.trim()).slice(0, MOST_LINES);
        process.stdout.write(some.map((text) => `    ${text}\n`).join(""));
      }
      process.stdout.write(
        shown(test.results[0])
          .map((text) => `    │ ${text}\n`)
          .join(""),
      );
    }
  }
}

/** What the page showed as its first try failed: the next run of the tests deletes Playwright's notes. */
function shown(result: TestResult | undefined): string[] {
  const notes = result?.attachments.find(({ name }) => name === "error-context")?.path;
  if (!notes) return [];
  const [, snapshot = ""] = readFileSync(notes, "utf8").split("```yaml\n");
  const [page = ""] = snapshot.split("\n```");
  return page.split("\n").slice(0, MOST_SHOWN);
}
