// Two lanes of 50 packets a second and their acknowledgements, 1280 px wide: the charts
// by themselves, and the console of a demo that runs on the lab, beside which they have
// two processors to share.
// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { stack } from "../e2e/stack.ts";
import type { DemoDetails, NewDemo } from "../src/api/generated.ts";
import { plausibleDirection } from "./plausibleDirection.ts";
import { MEASURED_S, type Smoothness, smoothness } from "./smoothness.ts";

const VIEWPORT = { width: 1280, height: 900 };
const HOW = `${MEASURED_S} s, two lanes of 50 packets/s and their acknowledgements, 1280×900, frames that Chromium put on the display`;

const DIRECTION = plausibleDirection(65);
const DEMO: NewDemo = {
  title: "Frames per second",
  settings: {
    path: { forward: DIRECTION, backward: DIRECTION },
    lanes: [
      { name: null, baseline: "newreno2008", mechanisms: [] },
      {
        name: null,
        baseline: "newreno2008",
        mechanisms: ["linear_timeouts", "early_fast_retransmit", "bundling"],
      },
    ],
    stream: { kind: "synthetic", payload_bytes: 120, iat_ms: 20 },
  },
};

const figures: { name: string; value: number; unit: string; how: string }[] = [];

function tell(name: string, value: number, unit: string, how: string): void {
  figures.push({ name, value, unit, how });
  process.stderr.write(`  ${name} ${value.toFixed(3)} ${unit}\n`);
}

/** What is told of a measurement: how it is called, its unit, and how it came about. */
const TOLD: readonly (readonly [keyof Smoothness, string, string, string])[] = [
  ["frames_per_second", "frames_per_second", "frames/s", `${HOW}; median of the seconds`],
  ["slowest", "frames_per_second_slowest", "frames/s", "slowest second of the same"],
  [
    "one_missed_share",
    "frames_over_16_7_ms_share",
    "",
    "share of its frames for which at least one refresh of the display (16.7 ms) was missed",
  ],
  ["two_missed_share", "frames_over_33_ms_share", "", "share for which at least two were missed"],
  [
    "work_ms",
    "frame_work_ms",
    "ms",
    "time of the processor that the page's main thread used for a frame, reading the feed included",
  ],
];

function tellAll(name: string, where: string, found: Smoothness): void {
  for (const [of, what, unit, how] of TOLD) {
    tell(`${name}_${what}`, found[of], unit, of === "frames_per_second" ? `${where}; ${how}` : how);
  }
}

test.afterAll(() => {
  writeFileSync(process.env.THINLAB_FIGURES ?? "/dev/stdout", JSON.stringify(figures));
});

test("the charts by themselves", async ({ page, browser }) => {
  await page.setViewportSize(VIEWPORT);
  await page.goto(`${process.env.THINLAB_DEMO_CHARTS}?lanes=2&iat=20&ahead=60&minutes=2`);
  await expect(page.locator("[data-drawn-event]")).toBeVisible();
  tellAll("demo_charts", "on a made-up feed", await smoothness(browser, page));
});

test("a demo on the lab", async ({ page, browser }) => {
  await page.setViewportSize(VIEWPORT);
  const { url, present_token } = stack();
  await page.goto(`${url}/demo#present=${present_token}`);
  await expect(page.getByRole("heading", { level: 1, name: "Live demo" })).toBeVisible();
  const answer = await page.request.post(`${url}/api/demos`, { data: DEMO });
  expect(answer.status(), await answer.text()).toBe(201);
  const { summary } = (await answer.json()) as DemoDetails;
  await page.goto(`${url}/demo/${summary.demo_id}`);
  // Until there is something to be drawn all over the charts.
  const table = page.locator("[data-testid=demo-chart] summary").first();
  await table.click();
  const packets = page.locator("tr", { hasText: "Data packets" }).locator("data").first();
  await expect
    .poll(async () => Number(await packets.getAttribute("value")), { timeout: 120_000 })
    .toBeGreaterThan(1_000);
  await table.click();
  await page.locator("[data-drawn-event]").evaluate((element) => element.scrollIntoView());
  tellAll(
    "demo",
    "the console of a demo on the lab, server and lab on the same machine",
    await smoothness(browser, page),
  );
});
