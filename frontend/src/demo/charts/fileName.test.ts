// A chart's file is called after what it shows.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { FeedStore } from "../feed/store";
import { fileName } from "./fileName";
import type { ChartProps } from "./usePainting";

function nameOf(title: string, now_ms: number, began_at: string | null = null): string {
  const about = { title, began_at, blind: false, settingAt: () => null };
  const view = { now_ms, feed: { store: new FeedStore() } };
  return fileName({ view, about } as unknown as ChartProps, "Latency over time", "png");
}

test("the demo, the chart, the take, the day and the instant", () => {
  expect(nameOf("Thin streams, Oslo", 185_000, "2026-03-14T12:00:00+00:00")).toBe(
    "thin-streams-oslo-latency-over-time-take-0-2026-03-14-at-3m05.png",
  );
  expect(nameOf("Thin streams", 186_000)).not.toBe(nameOf("Thin streams", 185_000));
});

test("whatever a demo is called, it is a name that every file system takes", () => {
  expect(nameOf("../../etc/passwd", 0)).toBe("etc-passwd-latency-over-time-take-0-at-0m00.png");
  expect(nameOf("Ålesund \u202e<gnp>", 0)).toMatch(/^ålesund-gnp-latency/);
  expect(nameOf("x".repeat(500), 0).length).toBeLessThan(160);
});
