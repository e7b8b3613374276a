// Lighthouse looks at a participant's pages, one after the other, as somebody
// who is on them: each must have at least 95 points of 100 for accessibility.
// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, chromium as launcher, type Page, test } from "@playwright/test";
import lighthouse from "lighthouse";
import { chromium } from "./chromium.ts";
import { Listener, type Moment } from "./listener.ts";
import { stack } from "./stack.ts";
import { shortened, throughUs } from "./through.ts";

const LEAST_POINTS = 95;
/** Has every kind of page: questions before and after, practice, trials in turn and free. */
const STUDY = "forms";
const PAGES: readonly Moment[] = [
  "consent",
  "sound",
  "questions",
  "introduction",
  "trial",
  "thanks",
];

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** The points, and what cost any. Lighthouse opens the address in a tab of its own. */
async function pointsOf(address: string, port: number): Promise<[number, string[]]> {
  const result = await lighthouse(address, {
    port,
    logLevel: "error",
    // Nobody looks at it, and it costs more than the points.
    disableFullPageScreenshot: true,
    onlyCategories: ["accessibility"],
    // The tab goes on with the participation that the browser remembers.
    disableStorageReset: true,
    // Otherwise it waits ten seconds on each page for a quiet that only speed would need.
    throttlingMethod: "simulate",
    formFactor: "desktop",
    screenEmulation: { disabled: true },
  });
  const category = result?.lhr.categories.accessibility;
  if (!category || category.score === null)
    throw new Error(`Lighthouse said nothing of ${address}`);
  const failed = category.auditRefs
    .filter(({ id, weight }) => weight > 0 && result.lhr.audits[id]?.score === 0)
    .map(({ id }) => id);
  return [Math.round(100 * category.score), failed];
}

test("a participant's pages have at least 95 points for accessibility", async () => {
  test.setTimeout(600_000);
  const port = await freePort();
  const profile = mkdtempSync(join(tmpdir(), "thinlab-lighthouse-"));
  const context = await launcher.launchPersistentContext(profile, {
    ...chromium,
    args: [...(chromium.args ?? []), `--remote-debugging-port=${port}`],
    viewport: { width: 1280, height: 860 },
  });
  const points = new Map<string, string>();
  const below: string[] = [];
  const judge = async (_: Page, moment: Moment): Promise<void> => {
    if (!PAGES.includes(moment) || points.has(moment)) return;
    const [score, failed] = await pointsOf(`${stack().url}/s/${STUDY}`, port);
    points.set(moment, `${score} ${failed.join(", ")}`);
    if (score < LEAST_POINTS) below.push(`${moment}: ${score}, ${failed}`);
  };
  try {
    await throughUs(context, shortened);
    const page = await context.newPage();
    const listener = await Listener.at(page, { slug: STUDY, onMoment: judge });
    await listener.takePart();
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
  for (const [moment, score] of points) process.stdout.write(`Lighthouse, ${moment}: ${score}\n`);
  expect([...points.keys()].sort()).toEqual([...PAGES].sort());
  expect(below).toEqual([]);
});
