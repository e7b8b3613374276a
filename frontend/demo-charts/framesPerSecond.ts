// How smoothly the demo's charts move: two lanes of 50 packets a second and their
// acknowledgements, 1280 px wide, from a trace of what Chromium put on the display.
// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";

const MEASURED_S = 20;
const REFRESH_MS = 1000 / 60;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** µs */
  readonly ts: number;
  /** µs of the processor */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
};

/** When a frame was put on the display, ms, and what the page's thread worked for them. */
function framesOf(events: readonly TraceEvent[]) {
  const shown_ms = events
    .filter(({ name, ph }) => name === "Display::DrawAndSwap" && ph === "X")
    .map(({ ts }) => ts / 1000)
    .toSorted((a, b) => a - b);
  const main = new Set(
    events
      .filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain")
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  const worked_ms = events
    .filter(({ name, pid, tid }) => name.endsWith("RunTask") && main.has(`${pid} ${tid}`))
    .filter(({ name }) => name === "ThreadControllerImpl::RunTask")
    .reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0);
  return { shown_ms, worked_ms };
}

test("frames per second", async ({ page, browser }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${process.env.THINLAB_DEMO_CHARTS}?lanes=2&iat=20&ahead=60&minutes=2`);
  await expect(page.locator("[data-drawn-event]")).toBeVisible();
  await browser.startTracing(page, {
    categories: ["-*", "viz", "toplevel", "__metadata"],
  });
  // The measured time itself, not a wait for something.
  await page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), MEASURED_S * 1000);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[];
  };
  const { shown_ms, worked_ms } = framesOf(traceEvents);
  expect(shown_ms.length, "frames in the trace").toBeGreaterThan(MEASURED_S);
  const first_ms = shown_ms[0] ?? 0;
  const seconds = Array.from({ length: MEASURED_S - 1 }, (_, second) => {
    const from_ms = first_ms + second * 1000;
    return shown_ms.filter((at_ms) => at_ms >= from_ms && at_ms < from_ms + 1000).length;
  });
  const apart_ms = shown_ms.slice(1).map((at_ms, index) => at_ms - (shown_ms[index] ?? 0));
  // Half a refresh more is what an even pace may wobble by.
  const later = (refreshes: number) =>
    apart_ms.filter((ms) => ms > (refreshes + 0.5) * REFRESH_MS).length / apart_ms.length;
  const how = `${MEASURED_S} s, two lanes of 50 packets/s and their acknowledgements, 1280×900, frames that Chromium put on the display`;
  const figures = [
    ["demo_frames_per_second", quantile(seconds, 0.5), "frames/s", `${how}; median of the seconds`],
    ["demo_frames_per_second_slowest", Math.min(...seconds), "frames/s", `${how}; slowest second`],
    [
      "demo_frames_over_16_7_ms_share",
      later(1),
      "",
      "share of frames for which at least one refresh of the display (16.7 ms) was missed",
    ],
    ["demo_frames_over_33_ms_share", later(2), "", "share for which at least two were missed"],
    [
      "demo_frame_work_ms",
      worked_ms / shown_ms.length,
      "ms",
      "time of the processor that the page's main thread used for a frame, reading the feed included",
    ],
  ] as const;
  for (const [name, value] of figures) process.stderr.write(`  ${name} ${value.toFixed(3)}\n`);
  writeFileSync(
    process.env.THINLAB_FIGURES ?? "/dev/stdout",
    JSON.stringify(figures.map(([name, value, unit, how]) => ({ name, value, unit, how }))),
  );
});
