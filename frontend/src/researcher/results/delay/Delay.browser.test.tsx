// Votes over delay can be seen, chosen by keyboard, and read without seeing.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import type { DelayBlock, MetricFindings } from "../../../api/generated";
import { faultsOf } from "../../../design/accessible";
import { type Rendered, rendered } from "../../../design/rendered";
import { madeUpEstimate } from "../madeUpEstimate";
import { Block } from "./Delay";
import { MADE_UP_WEIGHED } from "./madeUpWeighed";

let shown: Rendered | null = null;

afterEach(() => shown?.close());

const figure = (value: number) => ({ value, low: value / 2, high: value * 2 });

const metric = (name: string, title: string): MetricFindings => ({
  name,
  title,
  unit: "share",
  meaning: `what ${title} means`,
  planned: false,
  accuracy: {
    recordings: 3,
    rmse: figure(0.08),
    rmse_star: figure(0.02),
    correlation: figure(0.4),
    outliers: figure(0.1),
    no_worse: true,
  },
  refused: null,
});

const FOUND: DelayBlock = {
  block: "pairs",
  scale: "preference",
  metric: "late",
  planned: false,
  metrics: [
    metric("late", "Later than 150 ms"),
    { ...metric("gaps", "Gaps"), accuracy: null, refused: "“Gaps” has 2 different differences." },
  ],
  curve: {
    points: [0, 0.04, 0.08].map((delay, at) => ({
      trial_id: `t${at}`,
      run: 0,
      delay,
      votes: 10 * (at + 1),
      undecided: 4,
      value: 0.5 + 4 * delay,
      low: 0.4 + 4 * delay,
      high: 0.6 + 4 * delay,
    })),
    curve: [0, 0.04, 0.08].map((delay) => ({
      delay,
      value: 0.5 + 4 * delay,
      low: 0.45 + 4 * delay,
      high: 0.55 + 4 * delay,
    })),
    threshold: madeUpEstimate({ value: 0.05, low: 0.03, high: null }),
    slope: null,
    lapse: 0.01,
    spread_participants: null,
    spread_recordings: null,
    unmeasured: 2,
    sentence: "Three in four choose the less delayed where it differs by 5 %.",
  },
  why_none: null,
  best: "Exploratory: of 2 metrics, “Later than 150 ms” predicts best.",
};

async function page(block: DelayBlock, asked: string | null = null, onAsk = (_: string) => {}) {
  shown = rendered(<Block block={block} confidence={0.95} asked={asked} onAsk={onAsk} />);
  const { place } = shown;
  await vi.waitFor(() => expect(place.childElementCount).toBeGreaterThan(0));
  return place;
}

const within = (inner: Element, outer: Element) => {
  const [a, b] = [inner.getBoundingClientRect(), outer.getBoundingClientRect()];
  return a.left >= b.left - 1 && a.right <= b.right + 1;
};

test("dots, curve and threshold lie on common axes", async () => {
  const place = await page(FOUND);
  const plot = place.querySelector('[role="img"]');
  expect(plot?.getAttribute("aria-label")).toContain("3 recordings");
  const dots = [...place.querySelectorAll('[class*="dot"]')];
  expect(dots).toHaveLength(3);
  const [first, , last] = dots.map((dot) => dot.getBoundingClientRect());
  expect(last?.left).toBeGreaterThan(first?.left ?? 0);
  expect(last?.top).toBeLessThan(first?.top ?? 0);
  expect(last?.width).toBeGreaterThan(first?.width ?? 0);
  const threshold = place.querySelector('[class*="threshold"]')?.getBoundingClientRect();
  expect(threshold?.left).toBeGreaterThan(first?.left ?? 0);
  expect(threshold?.left).toBeLessThan(last?.right ?? 0);
  const interval = place.querySelector('[class*="interval"]');
  expect(interval && within(interval, plot as Element)).toBe(true);
});

test("what is not planned is called exploratory", async () => {
  expect((await page(FOUND)).textContent).toContain("Exploratory");
  shown?.close();
  expect((await page({ ...FOUND, planned: true })).textContent).toContain("Planned");
});

test("another metric can be asked for, and is not shown as the one that was there", async () => {
  const onAsk = vi.fn();
  const place = await page(FOUND, null, onAsk);
  const choice = place.querySelector("select") as HTMLSelectElement;
  choice.value = "gaps";
  choice.dispatchEvent(new Event("change", { bubbles: true }));
  expect(onAsk).toHaveBeenCalledWith("gaps");
  shown?.close();
  const waiting = await page(FOUND, "gaps");
  expect(waiting.querySelector('[role="status"]')?.textContent).toContain("Gaps");
  expect(waiting.querySelector('[role="img"]')).toBeNull();
});

test("without a curve there is a reason", async () => {
  const place = await page({
    ...FOUND,
    metric: "gaps",
    curve: null,
    why_none: "“Gaps” has 2 different differences.",
  });
  expect(place.textContent).toContain("“Gaps” has 2 different differences.");
  expect(place.querySelector('[role="img"]')).toBeNull();
});

test("two metrics are weighed where the plan says so, whichever has the curve", async () => {
  expect((await page(FOUND)).textContent).not.toContain("Pair by pair");
  shown?.close();
  const place = await page({ ...FOUND, weighed: MADE_UP_WEIGHED }, "gaps");
  expect(place.textContent).toContain(MADE_UP_WEIGHED.sentence);
  expect(place.querySelectorAll('[role="img"]')).toHaveLength(1);
});

test("whoever cannot see the plot has every number in tables", async () => {
  const place = await page(FOUND);
  for (const details of place.querySelectorAll("details")) details.open = true;
  const [points, metrics] = place.querySelectorAll("table");
  expect(points?.querySelectorAll("tbody tr")).toHaveLength(3);
  expect(points?.textContent).toContain("4 %");
  expect(metrics?.textContent).toContain("“Gaps” has 2 different differences.");
  expect(await faultsOf(place)).toEqual([]);
});

test.each([1280, 390])("at %i px nothing is wider than the page", async (width) => {
  const place = await page(FOUND);
  place.style.width = `${width - 48}px`;
  for (const tick of place.querySelectorAll('[role="img"] span')) {
    const { right } = tick.getBoundingClientRect();
    expect(right).toBeLessThanOrEqual(place.getBoundingClientRect().right + 24);
  }
});
