// Through nginx, against containers: a study that is heard, one that is typed, and a
// demo's sound; then that every answer is in the export, whatever happened since.
// setup/compose/test runs it, several times against the same installation.
// SPDX-License-Identifier: Apache-2.0
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import english from "../../src/language/texts/en.ts";
import { decodedEnergy, listenMeasured } from "../decodedSound.ts";
import { openDesk } from "../desk.ts";
import { endDemo, joinDemo, joinPath, startDemo } from "../presenter.ts";
import { stack } from "../stack.ts";
import { begin, button, joinToType, LINE, session, typed, vote } from "../typist.ts";
import { exported, type Row } from "../votes.ts";
import { doTrial, reachFirstTrial } from "../walk.ts";

/** Votes that the server has confirmed, study by study, one JSON object a line. */
const CONFIRMED = process.env.THINLAB_CONFIRMED ?? "";

interface Confirmed {
  readonly slug: string;
  readonly decision_ms: number;
}

const confirmed = (): Confirmed[] =>
  existsSync(CONFIRMED)
    ? readFileSync(CONFIRMED, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Confirmed)
    : [];

/** Notes each vote when its answer is there, which is after the commit. */
function noteVotes(page: Page, slug: string): void {
  page.on("response", (response) => {
    if (!response.url().endsWith("/api/participation/votes") || !response.ok()) return;
    const { decision_ms } = response.request().postDataJSON() as { decision_ms: number };
    writeFileSync(CONFIRMED, `${JSON.stringify({ slug, decision_ms })}\n`, { flag: "a" });
  });
}

test("a study is heard", async ({ page }) => {
  noteVotes(page, "demo");
  await reachFirstTrial(page);
  await doTrial(page, 1, "first");
  await doTrial(page, 2, "second");
  await doTrial(page, 3, "no_difference");
  await expect(page.getByRole("heading", { name: english["thanks.title"] })).toBeFocused();
});

test("a trial is typed", async ({ page }) => {
  noteVotes(page, "typing");
  await joinToType(page);
  await begin(page, "typing.begin.first");
  await page.keyboard.type(LINE);
  await typed(page, LINE);
  await button(page, "typing.done").click();
  await session(page, "typing.begin.second");
  await vote(page, "No difference");
  await expect(page.getByRole("heading", { name: "Trial 2 of 3" })).toBeFocused();
});

test("a demo is heard by its audience", async ({ browser }) => {
  const presenter = await startDemo(browser);
  const phone = await joinDemo(browser, await joinPath(presenter));
  await listenMeasured(phone);
  await phone.getByTestId("hearing").getByRole("button", { name: /^B/ }).click();
  await expect(phone.getByText("You hear B.")).toBeVisible();
  const before = await decodedEnergy(phone);
  await expect.poll(() => decodedEnergy(phone)).toBeGreaterThan(before);
  await endDemo(presenter);
});

test("guests are held, and the health page tells by what", async ({ browser }) => {
  const desk = await openDesk(browser);
  await desk.goto(`${stack().url}/researcher/health`);
  const wall = desk.getByRole("listitem").filter({ hasText: "Walls around guests" });
  await expect(wall).toContainText(/held by Landlock \(version \d+\) and seccomp/);
  await expect(wall).toContainText("Well");
});

test("behind who encrypts, cookies are kept to that", async ({ browser }) => {
  const { url } = stack();
  const desk = await openDesk(browser);
  const cookies = await desk.context().cookies();
  expect(cookies.map(({ name, secure, httpOnly }) => ({ name, secure, httpOnly }))).toEqual([
    { name: "__Host-researcher", secure: true, httpOnly: true },
  ]);
  const health = await desk.request.get(`${url}/api/health`);
  expect(health.headers()["strict-transport-security"]).toMatch(/^max-age=/);
  // The name counts, and not only that somebody is signed in.
  const elsewhere = { origin: "https://elsewhere.example" };
  const asked = await desk.request.post(`${url}/api/researcher/sign-out`, { headers: elsewhere });
  expect(asked.status()).toBe(403);
});

test("every confirmed vote is in the export, once", async ({ browser }) => {
  const desk = await openDesk(browser);
  for (const slug of ["demo", "typing"]) {
    const rows: Row[] = await exported(desk, "export", slug);
    const mine = confirmed().filter((one) => one.slug === slug);
    expect(mine.length).toBeGreaterThan(0);
    expect(rows.map((row) => Number(row.decision_ms)).toSorted()).toEqual(
      mine.map((one) => one.decision_ms).toSorted(),
    );
  }
});
