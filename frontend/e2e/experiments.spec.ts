// A tiny experiment, run as researchers run one, and followed in the browser from the list to
// the bytes of a packet: list, report, a point of a figure, cell, session, capture.
// SPDX-License-Identifier: Apache-2.0
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, type Locator, type Page, test } from "@playwright/test";
import { expectAccessible } from "./accessible.ts";
import { openDesk } from "./desk.ts";
import { stack } from "./stack.ts";

const BACKEND = resolve(import.meta.dirname, "../../backend");
const NAME = `clicked-${process.pid}`;
const TITLE = "Clicked through";
const WIDTHS_PX = [1280, 390] as const;
const FILE = `
name: ${NAME}
title: ${TITLE}
description: Two modes, two losses, for half a minute.
seed: 7
runs: 2
minutes: 0.5
along: loss_share
grids:
  - mode: [off, bundling]
    loss_share: [0.02, 0.1]
    rtt_ms: 100
    message_bytes: 120
    iat_ms: 140
    iat_spread_ms: 2
checks:
  - { check: against_off, metric: retransmitted_packet_share, at_most: 1, where: { loss_share: 0.1 } }
`;

test.describe.configure({ mode: "serial" });

function cache(): string {
  const ofUser =
    process.getuid?.() === 0 ? "/var/cache/thinlab" : join(homedir(), ".cache/thinlab");
  return process.env.THINLAB_CACHE ?? ofUser;
}

/** `thinlab experiment run`, to its end; what it printed. */
async function runExperiment(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "thinlab-e2e-experiment-"));
  const file = join(folder, "clicked.yaml");
  writeFileSync(file, FILE);
  const program = join(BACKEND, ".venv/bin/thinlab");
  const run = spawn(program, ["experiment", "run", file, "--workers", "1"], {
    cwd: BACKEND,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, THINLAB_LAB: "" },
  });
  let printed = "";
  for (const stream of [run.stdout, run.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  const [code] = await once(run, "close");
  // What was run is shown although its file is gone.
  rmSync(folder, { recursive: true });
  expect(code, printed).toBe(0);
  return printed;
}

test.beforeAll(() => {
  test.skip(stack().pid === null, "an experiment's results are left on the server's own disk");
});

test.afterAll(() => {
  rmSync(join(cache(), "experiments", NAME), { recursive: true, force: true });
});

async function openExperiments(page: Page): Promise<Locator> {
  await page.getByRole("navigation", { name: "Desk" }).getByText("Experiments").click();
  await expect(page.getByRole("heading", { level: 1, name: "Experiments" })).toBeFocused();
  return page.getByRole("listitem").filter({ hasText: NAME });
}

async function expectAccessibleEverywhere(page: Page): Promise<void> {
  for (const width of WIDTHS_PX) {
    await page.setViewportSize({ width, height: 800 });
    await expectAccessible(page);
  }
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Axe needs timers, which no script has in a sandbox: it looks at the same bytes outside of one. */
async function expectDocumentAccessible(page: Page): Promise<void> {
  const answer = await page.request.get(page.url());
  const outside = await page.context().newPage();
  await outside.setContent(await answer.text());
  await expectAccessibleEverywhere(outside);
  await outside.close();
}

test("an experiment is seen while it runs, and when it was run", async ({ browser }) => {
  const page = await openDesk(browser);
  const card = await openExperiments(page);
  const ran = runExperiment();
  await expect(async () => {
    await page.reload();
    await expect(card.getByText("Running", { exact: true })).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 60_000 });
  await ran;
  await expect(card.getByText(/8 of 8 sessions · \d of \d requirements? hold/)).toBeVisible();
  await expectAccessibleEverywhere(page);
});

test("a click leads from a figure's point to the session's captures, byte for byte", async ({
  browser,
}) => {
  const page = await openDesk(browser);
  const card = await openExperiments(page);
  await card.getByRole("link", { name: TITLE, exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: TITLE })).toBeFocused();
  await page.getByRole("link", { name: /Read the report/ }).click();
  await expect(page.getByRole("heading", { name: "Experiment report" })).toBeVisible();
  await expectDocumentAccessible(page);

  const point = page.locator("figure a", { hasText: "loss 10 %, bundling" }).first();
  await point.scrollIntoViewIfNeeded();
  await point.click({ force: true });
  const where = "loss 10 %, bundling";
  await expect(page.getByRole("heading", { level: 1, name: where })).toBeFocused();
  await expect(page.getByRole("link", { name: /^Run \d$/ })).toHaveCount(2);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Experiment report" })).toBeVisible();
  await page.goForward();
  await expect(page.getByRole("heading", { level: 1, name: where })).toBeFocused();
  await expectAccessibleEverywhere(page);

  await page.getByRole("link", { name: "Run 1" }).click();
  await expect(page.getByRole("heading", { level: 1, name: `Run 1: ${where}` })).toBeFocused();
  await expect(page.getByText("There is none: what an experiment sends is made up")).toBeVisible();
  await expectAccessibleEverywhere(page);
  await page.getByRole("button", { name: "Make it again" }).click();
  await expect(page.getByText("Both captures are what was recorded, byte for byte")).toBeVisible();
  await expectAccessibleEverywhere(page);

  for (const side of ["sender", "receiver"]) {
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: `Capture at the ${side}` }).click(),
    ]);
    const content = readFileSync(await file.path());
    expect(content.readUInt32LE(0)).toBe(0x0a0d0d0a);
    const hash = createHash("sha256").update(content).digest("hex");
    const recorded = page.getByRole("definition").filter({ hasText: hash });
    await expect(recorded).toHaveCount(1);
    expect(file.suggestedFilename()).toContain(`lane-0-${side}.pcapng`);
  }

  await page.getByRole("link", { name: /Ladder and latencies/ }).click();
  for (const picture of ["Time-sequence", "Ladder", "Latency distribution"]) {
    await expect(page.getByRole("heading", { name: picture })).toBeVisible();
  }
  await page.goBack();
  await expect(page.getByText("byte for byte")).toBeVisible();
});

test("the same way goes by keys alone", async ({ browser }) => {
  const page = await openDesk(browser);
  await page.goto(`${stack().url}/researcher/experiments/${NAME}`);
  await page.getByRole("link", { name: /Read the report/ }).press("Enter");
  const row = page.getByRole("link", { name: "Sessions of 2 %, off" }).and(page.locator("th a"));
  await row.press("Enter");
  await expect(page.getByRole("heading", { level: 1, name: "loss 2 %, off" })).toBeFocused();
  await page.getByRole("link", { name: "Run 0" }).press("Enter");
  await page.getByRole("button", { name: "Make it again" }).press("Enter");
  await expect(page.getByText("byte for byte")).toBeVisible();
});

test("nobody else sees any of it", async ({ browser }) => {
  const page = await (await browser.newContext()).newPage();
  const at = `${stack().url}/api/researcher/experiments`;
  for (const path of ["", `/${NAME}`, `/${NAME}/report`, `/${NAME}/cells`]) {
    const answer = await page.request.get(`${at}${path}`);
    expect(answer.status()).toBe(401);
    expect(await answer.text()).not.toContain(TITLE);
  }
  await page.goto(`${stack().url}/researcher/experiments/${NAME}`);
  await expect(page.getByRole("button", { name: "Sign in" })).toBeVisible();
});
