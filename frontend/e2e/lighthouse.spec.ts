// Lighthouse looks at the pages of participants and researchers, several kinds at a time, as somebody
// who is on them: each must have all 100 points for accessibility.
// SPDX-License-Identifier: Apache-2.0
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import {
  type BrowserContext,
  expect,
  chromium as launcher,
  type Page,
  test,
} from "@playwright/test";
import lighthouse from "lighthouse";
import english from "../src/language/texts/en.ts";
import { chromium } from "./chromium.ts";
import { openDesk, PASSWORD, signIn } from "./desk.ts";
import { answerByKeys, comeToHearing, heading } from "./hearing.ts";
import { Listener, type Moment } from "./listener.ts";
import { recorded } from "./secrets.ts";
import { stack } from "./stack.ts";
import { shortened, throughUs } from "./through.ts";

// Nothing here is about times, and each test mostly waits for sound and for its browser.
test.describe.configure({ mode: "parallel" });

const ALL_POINTS = 100;
/** Has every kind of page: questions before and after, practice, trials in turn and free. */
const WHOLE = "forms";
const MOMENTS: readonly Moment[] = [
  "consent",
  "sound",
  "questions",
  "introduction",
  "trial",
  "thanks",
];
/** Each has trials that look otherwise. */
const OTHER_TRIALS = ["abx", "mushra", "p800-dcr", "quest-loss"];
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
};
const DESK_ITSELF = [
  "/researcher",
  "/researcher/experiments",
  "/researcher/health",
  "/researcher/access",
];
/** Bots answer these, whose results look otherwise. */
const ANSWERED = {
  mushra: ["design", "power", "results"],
  "quest-loss": ["design", "power", "results"],
};
const BOTS = 6;
const BACKEND = resolve(import.meta.dirname, "../../backend");

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

/** A browser that Lighthouse can open tabs in, and what it said. */
class Judge {
  readonly #context: BrowserContext;
  readonly #port: number;
  readonly #profile: string;
  readonly #points = new Map<string, string>();

  private constructor(context: BrowserContext, port: number, profile: string) {
    this.#context = context;
    this.#port = port;
    this.#profile = profile;
  }

  static async begin(): Promise<Judge> {
    const port = await freePort();
    const profile = mkdtempSync(join(tmpdir(), "thinlab-lighthouse-"));
    const context = await launcher.launchPersistentContext(profile, {
      ...chromium,
      args: [...(chromium.args ?? []), `--remote-debugging-port=${port}`],
      viewport: { width: 1280, height: 860 },
    });
    await throughUs(context, shortened);
    return new Judge(context, port, profile);
  }

  get context(): BrowserContext {
    return this.#context;
  }

  async judge(name: string, path: string): Promise<void> {
    if (this.#points.has(name)) return;
    const [score, failed] = await pointsOf(`${stack().url}${path}`, this.#port);
    const points = [score, ...failed].join(" ");
    this.#points.set(name, points);
    process.stdout.write(`Lighthouse, ${name}: ${points}\n`);
  }

  /** The browser is gone afterwards; `names` are all that must have been looked at. */
  async end(names: readonly string[]): Promise<void> {
    await this.#context.close();
    rmSync(this.#profile, { recursive: true, force: true });
    const wanted = names.map((name) => [name, String(ALL_POINTS)]);
    expect(Object.fromEntries(this.#points)).toEqual(Object.fromEntries(wanted));
  }
}

test("a participant's pages have all points for accessibility", async () => {
  test.setTimeout(600_000);
  const judge = await Judge.begin();
  const onMoment = async (_: Page, moment: Moment): Promise<void> => {
    if (MOMENTS.includes(moment)) await judge.judge(moment, `/s/${WHOLE}`);
  };
  const page = await judge.context.newPage();
  await (await Listener.at(page, { slug: WHOLE, onMoment })).takePart();
  await judge.end(MOMENTS);
});

test("trials of every look have all points", async ({ browser }) => {
  test.setTimeout(600_000);
  const desk = await openDesk(browser);
  for (const slug of OTHER_TRIALS) await recorded(desk, slug);
  const judge = await Judge.begin();
  for (const slug of OTHER_TRIALS) {
    const page = await judge.context.newPage();
    const listener = await Listener.at(page, { slug });
    await listener.consent();
    await listener.goOn("trial");
    await judge.judge(slug, `/s/${slug}`);
    await page.close();
  }
  await judge.end(OTHER_TRIALS);
});

test("the tests of hearing have all points", async () => {
  test.setTimeout(600_000);
  const judge = await Judge.begin();
  const page = await judge.context.newPage();
  const at = "/s/screening";
  await comeToHearing(page);
  await judge.judge("levels", at);
  await answerByKeys(page, english["hearing.levels.play"]);
  await expect(heading(page, english["hearing.bandwidth.title"])).toBeFocused();
  await judge.judge("bandwidth", at);
  await answerByKeys(page, english["hearing.bandwidth.play"]);
  await expect(heading(page, english["hearing.digits.title"])).toBeFocused();
  await judge.judge("digits", at);
  await judge.end(["levels", "bandwidth", "digits"]);
});

/** A researcher's pages of studies, and others. */
async function judgeDesk(
  studies: Readonly<Record<string, readonly string[]>>,
  others: readonly string[],
): Promise<void> {
  const judge = await Judge.begin();
  await signIn(await judge.context.newPage());
  const ofStudies = Object.entries(studies).flatMap(([slug, pages]) =>
    pages.map((page) => `/researcher/studies/${slug}/${page}`),
  );
  const paths = [...others, ...ofStudies];
  for (const path of paths) await judge.judge(path, path);
  await judge.end(paths);
}

test("a researcher's pages have all points", async ({ browser }) => {
  test.setTimeout(600_000);
  await openDesk(browser);
  await judgeDesk(DESK, DESK_ITSELF);
});

test("results of every look have all points", async ({ browser }) => {
  test.setTimeout(600_000);
  const desk = await openDesk(browser);
  for (const slug of Object.keys(ANSWERED)) {
    await recorded(desk, slug);
    const bots = ["bots", "run", "--url", stack().url, "--study", slug, "--count", String(BOTS)];
    await promisify(execFile)(".venv/bin/thinlab", bots, {
      cwd: BACKEND,
      env: { ...process.env, THINLAB_PASSWORD: PASSWORD },
    });
  }
  await judgeDesk(ANSWERED, []);
});
