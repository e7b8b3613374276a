// Nothing that reaches a participant's browser tells a condition, a member or a
// kind of trial. Every study is taken whole, written down and searched.
// SPDX-License-Identifier: Apache-2.0
import { gzipSync } from "node:zlib";
import { type Browser, expect, test } from "@playwright/test";
import type { HeardTrial } from "../src/api/generated.ts";
import { openDesk } from "./desk.ts";
import { memberLeaks, segments, trialLeaks, wordLeaks } from "./leaks.ts";
import { Listener } from "./listener.ts";
import { SessionRecord } from "./record.ts";
import { inviteTo, recordedStudies, type Secrets, secretsOf } from "./secrets.ts";
import { stack } from "./stack.ts";
import { shortened } from "./through.ts";
import { answer, hearBoth, join, participantToken, reachFirstTrial, trialShown } from "./walk.ts";

// A leak that is seen once is a leak, so nothing here is tried again.
test.describe.configure({ retries: 0 });

/** Taken at its real length; of the others the page gets the beginning of each recording. */
const WHOLE = "demo";
/** Sessions side by side: as many as two cores can play. */
const AT_ONCE = 4;

interface Audit {
  readonly leaks: string[];
  readonly trials: number;
  readonly kinds: number;
  readonly snapshots: number;
}

/** One participant's whole session in a browser of its own. */
async function audit(browser: Browser, secrets: Secrets, suffix: string): Promise<Audit> {
  const { slug } = secrets;
  const context = await browser.newContext();
  const record = await SessionRecord.of(context, slug === WHOLE ? (passing) => passing : shortened);
  const page = await context.newPage();
  const listener = await Listener.at(page, {
    slug,
    suffix,
    // Right and wrong answers to the trials whose answer is known: nothing may tell.
    choose: ({ position }) => position % 2,
    onMoment: (_, moment, trial) => record.snapshot(page, moment, trial),
  });
  await listener.takePart();
  await record.snapshot(page, "the end", null);
  await record.finish();
  await context.close();
  return {
    leaks: [...wordLeaks(record, secrets), ...memberLeaks(record), ...trialLeaks(record)],
    trials: record.trials.size,
    kinds: segments(record).length,
    snapshots: record.shown.length,
  };
}

/** Calls `act` for each, a few at a time. */
async function each<One>(all: readonly One[], act: (one: One) => Promise<void>): Promise<void> {
  const waiting = [...all];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await act(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

test("no study tells anything, whole sessions long", async ({ browser }) => {
  test.setTimeout(1_200_000);
  const desk = await openDesk(browser);
  // The desk's own study stays as its tests left it: they count who took part. That of screening has
  // tests of hearing, which need ears, before a trial like any other's.
  const apart = ["desk", "screening"];
  const slugs = (await recordedStudies(desk)).filter((slug) => !apart.includes(slug));
  expect(slugs).toEqual(expect.arrayContaining(["demo", "lcn2008-listening", "p800-ccr"]));
  // The longest first, so that none is left over at the end.
  const studies = await Promise.all(slugs.map((slug) => secretsOf(desk, slug)));
  studies.sort((one, other) => other.trials - one.trials);
  const found: Record<string, Audit> = {};
  await each(studies, async (secrets) => {
    found[secrets.slug] = await audit(browser, secrets, await inviteTo(desk, secrets));
  });
  const nothing = studies.map(({ slug, trials, kinds }): [string, Audit] => [
    slug,
    { leaks: [], trials, kinds, snapshots: 3 * trials },
  ]);
  expect(found).toEqual(Object.fromEntries(nothing));
});

test("no script has a source map, and nothing is asked of anybody else", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await reachFirstTrial(page);
  const origins = asked
    .filter((address) => /^https?:/.test(address))
    .map((at) => new URL(at).origin);
  expect([...new Set(origins)]).toEqual([stack().url]);
  const scripts = asked.filter((address) => address.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(1);
  for (const script of scripts) {
    expect(script).not.toMatch(/researcher|chart/i);
    expect((await page.request.get(`${script}.map`)).status()).toBe(404);
    expect(await (await page.request.get(script)).text()).not.toContain("sourceMappingURL");
  }
});

test("the participant's pages weigh at most 200 kB compressed", async ({ page }) => {
  const sizes: Promise<number>[] = [];
  page.on("response", (response) => {
    if (response.url().includes("/api/")) return;
    sizes.push(response.body().then((body) => gzipSync(body).byteLength));
  });
  await reachFirstTrial(page);
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThan(200_000);
});

test("a forged, a foreign and a spent recording token give nothing", async ({ page, browser }) => {
  const tokens: string[] = [];
  page.on("response", async (response) => {
    if (!response.url().endsWith("/api/participation/trials")) return;
    const { trials } = (await response.json()) as { trials: HeardTrial[] };
    tokens.push(...trials.map(({ first }) => first.recording_token));
  });
  await reachFirstTrial(page);
  const mine = `Bearer ${await participantToken(page)}`;
  const stranger = await (await browser.newContext()).newPage();
  await join(stranger);
  const theirs = `Bearer ${await participantToken(stranger)}`;
  const status = async (token: string | undefined, Authorization: string) => {
    const address = `${stack().url}/api/recordings/${token}`;
    return (await page.request.get(address, { headers: { Authorization } })).status();
  };
  expect(await status(tokens[0], mine)).toBe(200);
  expect(await status(tokens[0], theirs)).toBe(404);
  expect(await status("forged-forged-forged-forged", mine)).toBe(404);
  await hearBoth(page);
  await answer(page, "first");
  await trialShown(page, 2);
  await expect(async () => expect(await status(tokens[0], mine)).toBe(410)).toPass();
});
