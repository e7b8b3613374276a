// Nothing that reaches a participant's browser tells the condition. A whole
// session is recorded and searched; planted leaks prove that the search finds.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page, type Route, test } from "@playwright/test";
import { type Overview, openDesk, overview } from "./desk.ts";
import { memberLeaks, wordLeaks } from "./leaks.ts";
import { SessionRecord } from "./record.ts";
import { stack } from "./stack.ts";
import type { Passing } from "./through.ts";
import { answer, checkSound, hearBoth, join, participantToken, trialShown } from "./walk.ts";

async function studyOf(browser: Browser): Promise<Overview> {
  return overview(await openDesk(browser));
}

/** The two members' buttons, with what makes each "first" or "second" taken out. */
async function buttonShapes(page: Page): Promise<string[]> {
  const shape = (name: "First" | "Second") =>
    page
      .getByRole("button", { name, exact: true })
      .evaluate((button) => button.outerHTML)
      .then((html) => html.replaceAll(/First|Second/g, "Nth").replaceAll(/ style="[^"]*"/g, ""));
  return [await shape("First"), await shape("Second")];
}

test("a whole session tells nothing, and both members look alike", async ({
  page,
  context,
  browser,
}) => {
  const record = await SessionRecord.of(context);
  await join(page);
  await record.snapshot(page);
  await checkSound(page);
  for (const position of [1, 2, 3]) {
    await trialShown(page, position);
    await record.snapshot(page);
    const [chosen, other] = await buttonShapes(page);
    await hearBoth(page);
    await page.getByRole("button", { name: "Pause" }).click();
    // Now the second is the chosen one: the shapes must have changed places.
    const [otherNow, chosenNow] = await buttonShapes(page);
    expect([chosenNow, otherNow]).toEqual([chosen, other]);
    await record.snapshot(page);
    await answer(page, "no_difference");
  }
  await expect(page.getByRole("heading", { name: "Thank you" })).toBeVisible();
  await record.settled();

  expect(record.members).toHaveLength(6);
  expect(memberLeaks(record)).toEqual([]);
  expect(wordLeaks(record, await studyOf(browser))).toEqual([]);
  expect(record.members.every(({ headers }) => headers["cache-control"] === "no-store")).toBe(true);
});

test("no script has a source map, and a participant fetches no researcher's code", async ({
  page,
}) => {
  const scripts: string[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith(".js")) scripts.push(response.url());
  });
  await join(page);
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
    sizes.push(response.body().then((body) => gzipped(body)));
  });
  await join(page);
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThan(200_000);
});

async function gzipped(body: Buffer): Promise<number> {
  const { gzipSync } = await import("node:zlib");
  return gzipSync(body).byteLength;
}

const change = async (route: Route, to: (trial: Record<string, unknown>) => object) => {
  const response = await route.fetch();
  await route.fulfill({ response, json: to(await response.json()) });
};

/** Words of the study under test, to be planted. */
interface Words {
  readonly clip: string;
  readonly condition: string;
}

function wordsToPlant(study: Overview): Words {
  const [trial] = study.trials;
  const condition = trial?.recordings.at(-1)?.condition.name;
  if (!trial || !condition) throw new Error("The study has no trial with a recording.");
  return { clip: trial.clip, condition };
}

/** What the search must say of the leaks in the page and in what it is told. */
const foundInPage = ({ clip, condition }: Words): string[] => [
  '"linear_timeouts" in POST /api/participation/trials',
  `"${clip}" in POST /api/participation/trials`,
  '"control" in POST /api/participation/trials',
  '"newreno" in POST /api/participation/trials',
  '"off" in POST /api/participation/trials',
  '"bundling" in html',
  '"netem" in local',
  `"${condition}" in databases`,
];

async function plantInPage(page: Page, { clip, condition }: Words): Promise<void> {
  await page.route("**/api/participation/trials", (route) =>
    change(route, (trial) => ({
      ...trial,
      hint: "linear_timeouts",
      of: clip,
      kind: "control",
      etag: Buffer.from("xx newreno2008 xx").toString("base64url"),
      m: "off",
    })),
  );
  await page.addInitScript((name) => {
    localStorage.setItem("thinlab.netem", "1");
    indexedDB.open(name);
    addEventListener("load", () => {
      document.body.dataset.of = "bundling";
    });
  }, condition);
}

/** Likewise of the leaks in the answers that bring the recordings. */
const foundInRecordings = ({ condition }: Words): RegExp[] => [
  new RegExp(`"${condition}" in a recording, header values`),
  /"degrad" in a recording, outside the samples/,
  /pair 1: +"cache-control"/,
  /pair 1: +"tail_bytes"/,
  /pair 1: +"bytes"/,
];

const plantInRecording =
  ({ condition }: Words, count: () => number) =>
  ({ headers, body, ...rest }: Passing): Passing => {
    const nth = count();
    return {
      ...rest,
      headers: { ...headers, "x-from": condition, "cache-control": `max-age=${nth}` },
      body: nth > 0 ? body : Buffer.concat([body, Buffer.from("LISTdegraded")]),
    };
  };

/** Records a session up to its first trial, and searches it. */
async function leaksUpToFirstTrial(
  browser: Browser,
  study: Overview,
  plant: (page: Page) => Promise<void>,
  tamper: (passing: Passing) => Passing,
): Promise<string[]> {
  const context = await browser.newContext();
  const record = await SessionRecord.of(context, tamper);
  const page = await context.newPage();
  await plant(page);
  await join(page);
  await checkSound(page);
  await expect(page.getByRole("heading", { name: "Trial 1 of 3" })).toBeVisible();
  await expect(() => expect(record.members).toHaveLength(2)).toPass();
  await record.snapshot(page);
  await record.settled();
  await context.close();
  return [...wordLeaks(record, study), ...memberLeaks(record)];
}

test("the search finds what is planted in the page and its messages", async ({ browser }) => {
  const study = await studyOf(browser);
  const words = wordsToPlant(study);
  const plant = (page: Page) => plantInPage(page, words);
  const found = await leaksUpToFirstTrial(browser, study, plant, (passing) => passing);
  for (const leak of foundInPage(words)) expect(found).toContain(leak);
});

test("the search finds what is planted in the recordings' answers", async ({ browser }) => {
  const study = await studyOf(browser);
  const words = wordsToPlant(study);
  let recordings = 0;
  const tamper = plantInRecording(words, () => recordings++);
  const found = await leaksUpToFirstTrial(browser, study, async () => {}, tamper);
  for (const leak of foundInRecordings(words)) {
    expect(found).toContainEqual(expect.stringMatching(leak));
  }
});

test("a forged, a foreign and a spent recording token give nothing", async ({ page, browser }) => {
  const tokens: string[] = [];
  page.on("response", async (response) => {
    if (!response.url().endsWith("/api/participation/trials")) return;
    tokens.push((await response.json()).first.recording_token);
  });
  await join(page);
  await checkSound(page);
  await trialShown(page, 1);
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
  expect(await status(tokens[0], mine)).toBe(410);
});
