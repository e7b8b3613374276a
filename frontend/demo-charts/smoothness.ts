// How smoothly a page moves, from a trace of what Chromium put on the display.
// SPDX-License-Identifier: Apache-2.0
import { type Browser, expect, type Page } from "@playwright/test";

export const MEASURED_S = 20;
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

export interface Smoothness {
  /** In the median second, and in the slowest. */
  readonly frames_per_second: number;
  readonly slowest: number;
  /** Shares of frames for which the display missed a refresh, or two. */
  readonly one_missed_share: number;
  readonly two_missed_share: number;
  /** Of the page's main thread. */
  readonly work_ms: number;
}

export async function smoothness(browser: Browser, page: Page): Promise<Smoothness> {
  await browser.startTracing(page, { categories: ["-*", "viz", "toplevel", "__metadata"] });
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
  return {
    frames_per_second: quantile(seconds, 0.5),
    slowest: Math.min(...seconds),
    one_missed_share: later(1),
    two_missed_share: later(2),
    work_ms: worked_ms / shown_ms.length,
  };
}
