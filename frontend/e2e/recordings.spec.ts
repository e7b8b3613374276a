// The researcher's recordings: heard, seen, measured; asked for, failed, under way.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page, test } from "@playwright/test";
import type { StudyRecordings } from "../src/api/generated.ts";
import { expectAccessible } from "./accessible.ts";
import { openDesk } from "./desk.ts";
import { expectFit } from "./fit.ts";
import { recorded } from "./secrets.ts";
import { stack } from "./stack.ts";

const WIDTHS_PX = [1280, 390] as const;

async function openRecordings(page: Page): Promise<void> {
  await page.goto(`${stack().url}/researcher/studies/demo/recordings`);
  await expect(page.getByRole("heading", { name: "Recordings", level: 1 })).toBeVisible();
}

test("both members of a pair are heard, seen and measured side by side", async ({ browser }) => {
  const page = await openDesk(browser);
  await openRecordings(page);
  await expect(page.getByRole("status").filter({ hasText: /All \d+ recordings/ })).toBeVisible();
  const waveforms = page.getByRole("img", { name: /^Waveform of / });
  await expect(waveforms).toHaveCount(2);
  // A press on the waveform plays from there, and one member plays at a time.
  const box = await waveforms.nth(1).boundingBox();
  if (!box) throw new Error("the waveform has no place");
  await waveforms.nth(1).click({ position: { x: box.width / 2, y: box.height / 2 } });
  const players = page.locator("audio");
  await expect
    .poll(() => players.nth(1).evaluate((audio: HTMLAudioElement) => audio.currentTime))
    .toBeGreaterThan(20);
  expect(await players.nth(0).evaluate((audio: HTMLAudioElement) => audio.paused)).toBe(true);
  await players.nth(1).evaluate((audio: HTMLAudioElement) => audio.pause());

  await page.getByText("Measurements").first().click();
  await expect(
    page.getByRole("img", { name: /Distribution of application latency/ }),
  ).toBeVisible();
  await page.locator("label", { hasText: "Transport latency" }).click();
  await expect(page.getByRole("img", { name: /Distribution of transport latency/ })).toBeVisible();
  await expect(page.getByRole("rowheader", { name: "Longest stall" })).toBeVisible();
  for (const side of ["sender", "receiver"]) {
    const link = page.getByRole("link", { name: `${side} of` }).first();
    const capture = await page.request.get(
      new URL((await link.getAttribute("href")) ?? "", stack().url).href,
    );
    expect(capture.status()).toBe(200);
    // The magic number of pcapng.
    expect((await capture.body()).readUInt32LE(0)).toBe(0x0a0d0d0a);
  }
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
  }
});

test("what came damaged is told beside what came late", async ({ browser }) => {
  const page = await openDesk(browser);
  await recorded(page, "late-or-damaged");
  await page.goto(`${stack().url}/researcher/studies/late-or-damaged/recordings`);
  const card = page.getByRole("region", { name: /^passed-c/ });
  await card.getByRole("heading", { name: /^passed-c/ }).click();
  await card.getByText("Measurements").click();
  const cells = (name: string) =>
    card
      .getByRole("row")
      .filter({ has: page.getByRole("rowheader", { name, exact: true }) })
      .getByRole("cell");
  // TCP repairs, late, all but what its checksum does not find; UDP-Lite hands it over.
  await expect(cells("Sender").nth(1)).toContainText("sound as G.711");
  await expect(cells("Damaged messages")).toHaveText([/^(–|\d+)$/, /^\d+$/]);
  const damaged = (await cells("Damaged messages").allTextContents()).map(Number);
  expect(damaged[1]).toBeGreaterThan(5 * (damaged[0] || 0));
  await expectFit(page, "recordings-damaged");
});

test("what failed is told with its remedy, and can be asked for again by keys", async ({
  browser,
}) => {
  const page = await openDesk(browser);
  let asked = false;
  await page.route("**/api/researcher/studies/demo/recordings", async (route) => {
    const answer = await route.fetch({ maxRetries: 3 });
    const real = (await answer.json()) as StudyRecordings;
    await route.fulfill({ response: answer, json: withOne(real, asked ? "making" : "failed") });
  });
  await page.route("**/api/researcher/studies/demo/record", async (route) => {
    asked = true;
    await route.fulfill({ status: 202, json: { under_way: 1 } });
  });
  await openRecordings(page);
  await expect(page.getByRole("status").filter({ hasText: "1 failed" })).toBeVisible();
  await expect(page.getByText("The disk is full.").first()).toBeVisible();
  await expect(page.getByText("Make room.").first()).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Record 1 recording" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "1 is being made" })).toBeVisible();
  await expect(page.getByText("About 50 seconds left.")).toBeVisible();
  await expect(page.getByRole("progressbar", { name: "Recordings made" })).toHaveAttribute(
    "aria-valuenow",
    "90",
  );
  await expect(page.getByRole("button", { name: /^Record / })).toHaveCount(0);
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessible(page);
  }
});

/** The study as it would look with its first recording in another state. */
function withOne(real: StudyRecordings, status: "failed" | "making"): StudyRecordings {
  const failed = status === "failed";
  const [first, ...others] = real.trials;
  const [run, ...runs] = first?.runs ?? [];
  const [member, ...members] = run?.members ?? [];
  if (!first || !run || !member) throw new Error("the demo has no trial");
  const one = {
    ...member,
    id: null,
    status,
    progress_share: failed ? 0 : 0.5,
    problem: failed ? "The disk is full." : null,
    remedy: failed ? "Make room." : null,
    figures: null,
    predicted: [],
  };
  const { total } = real.counts;
  return {
    ...real,
    counts: { total, ready: total - 1, under_way: failed ? 0 : 1, failed: failed ? 1 : 0 },
    progress_share: (total - 0.5) / total,
    time_left_s: failed ? null : 42,
    trials: [{ ...first, runs: [{ ...run, members: [one, ...members] }, ...runs] }, ...others],
  };
}
