// From the finger to the glyph, through everything: Chromium, the link, the
// backend, the agent, SSH over a lane of 130 ms, and back; then the same fingers in
// the same page on a bare local pty. Prints figures as JSON on standard output.
// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { openDesk } from "../e2e/desk.ts";
import { stack } from "../e2e/stack.ts";
import { exported, type Row } from "../e2e/votes.ts";
import type { OpenTrials } from "../src/api/generated.ts";
import english from "../src/language/texts/en.ts";
import { typeLikePeople } from "./fingers.ts";
import { keysToPaint_ms, watchFrames } from "./frames.ts";

const KEYS = 150;
/** What the study's condition says. */
const LANE_RTT_MS = 130;
const LOCAL_PTY = "local-pty-nano-000000";

/** Stamps of a key in the order in which they happen, and what lies before each. */
const STAGES = [
  ["backend_received_us", "page → backend"],
  ["agent_received_us", "backend → agent"],
  ["pty_written_us", "agent → guest's pty"],
  ["key_written_us", "ssh"],
  ["key_delivered_us", "lane there"],
  ["echo_written_us", "sshd and editor"],
  ["echo_delivered_us", "lane back"],
  ["screen_us", "ssh to pty"],
  ["agent_forwarded_us", "guest → agent"],
  ["backend_forwarded_us", "agent → backend"],
  ["painted_us", "backend → paint"],
] as const;

/** `share` of the values are not above it (nearest rank). */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** The median of each stage, in ms. */
function stages(rows: readonly Row[]): (readonly [string, number])[] {
  return STAGES.map(([stamp, name], place) => {
    const before = STAGES[place - 1]?.[0];
    const lasted = rows.flatMap((row) => {
      const from = before ? row[before] : "0";
      return from && row[stamp] ? [(Number(row[stamp]) - Number(from)) / 1_000] : [];
    });
    return [name, quantile(lasted, 0.5)] as const;
  });
}

/** Where the slowest keys spent their time, one a line. */
function slowest(rows: readonly Row[], count: number): string[] {
  const seen = rows.filter(({ painted_us }) => painted_us);
  const last = seen.toSorted((one, other) => Number(other.painted_us) - Number(one.painted_us));
  return last.slice(0, count).map((row) => {
    const parts = stages([row]).map(([name, part_ms]) => `${name} ${part_ms.toFixed(1)}`);
    return `  key ${row.number}: ${parts.join(", ")}`;
  });
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** A session from its button to its end. */
async function typeIn(page: Page, begin: string): Promise<number[]> {
  await button(page, begin).click();
  await expect(page.locator("[data-testid=glass][data-focused=true]")).toBeVisible();
  await expect(page.getByTestId("cover")).toHaveCount(0);
  await typeLikePeople(page, KEYS);
  await button(page, english["typing.done"]).click();
  await expect(page.getByTestId("glass")).toHaveCount(0);
  return keysToPaint_ms(page);
}

/** The second session is on the local pty instead of what the server meant. */
async function withLocalSecond(page: Page): Promise<void> {
  await page.route("**/api/participation/trials", async (route) => {
    const response = await route.fetch();
    const { trials } = (await response.json()) as OpenTrials;
    for (const trial of trials) {
      if (trial.medium === "typed") Object.assign(trial.second, { session_token: LOCAL_PTY });
    }
    await route.fulfill({ response, json: { trials } });
  });
}

test("from key to paint", async ({ page, browser }) => {
  await watchFrames(page);
  await withLocalSecond(page);
  await page.goto(`${stack().url}/s/key-to-paint`);
  await page.getByRole("checkbox").check();
  await button(page, english["consent.begin"]).click();
  await expect(page.getByRole("heading", { name: english["check.title"] })).toBeVisible();
  await page.keyboard.type(english["check.word"]);
  await button(page, english["go.on"]).click();
  const far_ms = await typeIn(page, english["typing.begin.first"]);
  const near_ms = await typeIn(page, english["typing.begin.second"]);

  const rows = await exported(await openDesk(browser), "keystrokes", "key-to-paint");
  expect(rows).toHaveLength(KEYS);
  const parts = stages(rows);
  const whole_ms = parts.reduce((sum, [, part_ms]) => sum + part_ms, 0);
  for (const [name, part_ms] of parts) {
    const share = ((100 * part_ms) / whole_ms).toFixed(1);
    process.stderr.write(
      `  ${name.padEnd(20)} ${part_ms.toFixed(2).padStart(8)} ms ${share.padStart(5)} %\n`,
    );
  }
  process.stderr.write(`  The slowest, in ms:\n${slowest(rows, 3).join("\n")}\n`);
  const local_ms = quantile(near_ms, 0.5);
  process.stderr.write(
    `  key to paint: p50 ${quantile(far_ms, 0.5).toFixed(1)} ms; local pty: p50 ${local_ms.toFixed(1)} ms, p99 ${quantile(near_ms, 0.99).toFixed(1)} ms\n`,
  );
  const added = (share: number) => quantile(far_ms, share) - LANE_RTT_MS;
  const how = `${KEYS} keys in Chromium, keydown to paint, less the lane's ${LANE_RTT_MS} ms`;
  const told = parts.map(([name, part_ms]) => `${name} ${part_ms.toFixed(1)}`).join(", ");
  const figures = [
    ["key_to_paint_added_p50_ms", added(0.5), "ms", `${how}; medians in ms: ${told}`],
    ["key_to_paint_added_p99_ms", added(0.99), "ms", how],
    [
      "key_to_paint_vs_local_pty",
      added(0.5) / local_ms,
      "",
      "median that is added, divided by the median on a bare local pty in the same page and run",
    ],
  ] as const;
  writeFileSync(
    process.env.THINLAB_FIGURES ?? "/dev/stdout",
    JSON.stringify(figures.map(([name, value, unit, how]) => ({ name, value, unit, how }))),
  );
});
