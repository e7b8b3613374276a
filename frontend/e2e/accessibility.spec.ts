// All pages that no other test looks at for accessibility, several kinds at a time; and that what
// axe finds is what Lighthouse gives points for. Other tests look where they are: at the pages of a
// participation `pages.spec.ts`, at the tests of hearing `screening.spec.ts`, at results of
// staircases `adaptive.spec.ts`.
// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, chromium as launcher, type Page, test } from "@playwright/test";
import lighthouse from "lighthouse";
import { expectAccessible } from "./accessible.ts";
import { chromium } from "./chromium.ts";
import { openDesk, PASSWORD } from "./desk.ts";
import { Listener } from "./listener.ts";
import { recorded } from "./secrets.ts";
import { freePort, stack } from "./stack.ts";
import { shortened, throughUs } from "./through.ts";

/** Each has trials that look otherwise. */
const OTHER_TRIALS = ["abx", "p800-dcr"];
const DESK = {
  demo: [
    "monitor",
    "participants",
    "invitations",
    "recordings",
    "design",
    "power",
    "results",
    "export",
  ],
  panel: ["panel", "participants"],
  mushra: ["design", "power"],
  "quest-loss": ["design", "power"],
};
const DESK_ITSELF = [
  "/researcher",
  "/researcher/experiments",
  "/researcher/health",
  "/researcher/access",
];
const BOTS = 6;
const BACKEND = resolve(import.meta.dirname, "../../backend");

// Each audit of Lighthouse is one of axe's rules, of the same name, so a page on which axe finds
// nothing has all points. This shows that it is so; on all other pages axe looks alone, which
// takes a tenth of the time.
test("Lighthouse gives a page all points, each for a rule by which axe looks", async () => {
  test.setTimeout(600_000);
  const port = await freePort();
  const profile = mkdtempSync(join(tmpdir(), "thinlab-lighthouse-"));
  const context = await launcher.launchPersistentContext(profile, {
    ...chromium,
    args: [...(chromium.args ?? []), `--remote-debugging-port=${port}`],
    viewport: { width: 1280, height: 860 },
  });
  try {
    const page = await context.newPage();
    await page.goto(`${stack().url}/s/forms`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const rules = await expectAccessible(page);
    const judged = await lighthouse(page.url(), {
      port,
      logLevel: "error",
      onlyCategories: ["accessibility"],
      disableStorageReset: true,
      // Otherwise it waits ten seconds for a quiet that only speed would need.
      throttlingMethod: "simulate",
      formFactor: "desktop",
      screenEmulation: { disabled: true },
    });
    const { score, auditRefs } = judged?.lhr.categories.accessibility ?? {};
    expect(score).toBe(1);
    const audits = (auditRefs ?? []).filter(({ weight }) => weight > 0).map(({ id }) => id);
    expect(audits.length).toBeGreaterThan(10);
    expect(audits.filter((id) => !rules.has(id))).toEqual([]);
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
});

test("trials of two looks that no other test has are accessible", async ({ browser }) => {
  test.setTimeout(600_000);
  const desk = await openDesk(browser);
  for (const slug of OTHER_TRIALS) await recorded(desk, slug);
  const context = await browser.newContext();
  await throughUs(context, shortened);
  for (const slug of OTHER_TRIALS) {
    const page = await context.newPage();
    const listener = await Listener.at(page, { slug });
    await listener.consent();
    await listener.goOn("trial");
    await expectAccessible(page);
    await page.close();
  }
});

/** A researcher's pages, each once all that it asks for is here. */
async function lookAtDesk(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await page.goto(`${stack().url}${path}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await page.waitForLoadState("networkidle");
    await expectAccessible(page);
  }
}

test("a researcher's pages are accessible", async ({ browser }) => {
  test.setTimeout(600_000);
  const ofStudies = Object.entries(DESK).flatMap(([slug, pages]) =>
    pages.map((page) => `/researcher/studies/${slug}/${page}`),
  );
  await lookAtDesk(await openDesk(browser), [...DESK_ITSELF, ...ofStudies]);
});

test("results of pages of sounds are accessible", async ({ browser }) => {
  test.setTimeout(600_000);
  const desk = await openDesk(browser);
  await recorded(desk, "mushra");
  const bots = ["bots", "run", "--url", stack().url, "--study", "mushra", "--count", String(BOTS)];
  await promisify(execFile)(".venv/bin/thinlab", bots, {
    cwd: BACKEND,
    env: { ...process.env, THINLAB_PASSWORD: PASSWORD },
  });
  await lookAtDesk(desk, ["/researcher/studies/mushra/results"]);
});
