// From the click on a switch to the charts, a hundred times in a row on a running
// stream; and then the captures' word that the switching cost no packet.
// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { endDemo, expectStage, mechanism, openDemos, RUNNING } from "../e2e/presenter.ts";
import { stack } from "../e2e/stack.ts";
import type { ResultList, TakeResult } from "../src/api/generated.ts";
import { drawnToggle, type Toggle, watchToggles } from "./watch.ts";

const TOGGLES = 100;

/** `share` of the values are not above it (nearest rank). */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** A path without losses, so that whatever is missing was lost by switching. */
async function withoutLoss(page: Page): Promise<void> {
  await page.getByText("Free settings").click();
  const loss = page.getByLabel("Loss", { exact: true }).and(page.locator("[type=number]"));
  await loss.fill("0");
  await loss.press("Enter");
  await expect(page.getByText("each way 65 ms")).toBeVisible();
  // Another stream begins a take, of which all is without loss.
  await page.getByText("Synthetic", { exact: true }).click();
  await expectStage(page, `${RUNNING}, take 2`);
}

/** What went wrong on a lane; nothing where every byte arrived once and unchanged. */
function losses({ result }: TakeResult): string[] {
  return (result?.lanes ?? []).flatMap(({ check, figures, skipped_messages }, lane) => {
    const metrics = figures?.metrics;
    if (!check?.forward || !check.backward || !metrics) return [`lane ${lane} has no figures`];
    const counts = {
      dropped: check.forward.dropped_packets + check.backward.dropped_packets,
      lost: metrics.lost_packets_forward + metrics.lost_packets_backward,
      undelivered: metrics.unique_bytes - metrics.delivered_bytes,
      skipped: skipped_messages,
    };
    return Object.entries(counts).flatMap(([what, count]) =>
      count === 0 ? [] : [`lane ${lane}: ${count} ${what}`],
    );
  });
}

test("from the switch to the charts", async ({ browser }) => {
  const page = await openDemos(browser);
  await page.addInitScript(watchToggles);
  await page.reload();
  await page.getByRole("button", { name: "Start the demo" }).click();
  await expectStage(page, RUNNING);
  await withoutLoss(page);
  const toggles: Toggle[] = [];
  const bundling = mechanism(page, "Bundling", "A");
  for (let number = 0; number < TOGGLES; number++) {
    await bundling.click();
    toggles.push(await drawnToggle(page));
  }
  const demo_id = Number(new URL(page.url()).pathname.split("/").at(-1));
  await endDemo(page);
  const answer = await page.request.get(`${stack().url}/api/demos/${demo_id}/results`);
  const { takes } = (await answer.json()) as ResultList;
  expect(takes.slice(1).flatMap(losses)).toEqual([]);
  expect(new Set(toggles.map(({ event }) => event)).size).toBe(TOGGLES);

  const chart_ms = toggles.map((one) => one.chart_ms);
  const kernel_ms = toggles.map((one) => one.kernel_ms);
  const how = `${TOGGLES} clicks on a switch in Chromium, one after the other, two lanes of 7 packets a second without loss; no packet was lost, no byte undelivered`;
  const kernel = `until the kernel had it: median ${quantile(kernel_ms, 0.5).toFixed(1)} ms, at most ${quantile(kernel_ms, 1).toFixed(1)} ms`;
  const figures = [
    ["toggle_to_chart_ms", quantile(chart_ms, 1), `the longest of ${how}; ${kernel}`],
    ["toggle_to_chart_p50_ms", quantile(chart_ms, 0.5), `median of the same`],
  ] as const;
  writeFileSync(
    process.env.THINLAB_FIGURES ?? "/dev/stdout",
    JSON.stringify(figures.map(([name, value, how]) => ({ name, value, unit: "ms", how }))),
  );
  await page.context().close();
});
