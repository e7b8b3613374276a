// The demo’s charts in Chromium: drawn, asked, and written to files.
// SPDX-License-Identifier: Apache-2.0
import "../../design/tokens.css";
import "../../design/base.css";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { PlausibleDemo } from "../../../demo-charts/plausibleDemo";
import { pngOf, svgOf } from "../../charts/pictureFiles";
import { LiveFeed } from "../feed/feed";
import type { About } from "./caption";
import { DemoCharts } from "./DemoCharts";
import { pictureOf } from "./files";
import { PACKET_ENTRIES } from "./legendEntries";
import { timePainting } from "./painting";
import { palette } from "./palette";
import { ladderPicture, latencyPicture, socketsPicture } from "./pictures";
import { plateOf } from "./plate";
import type { ChartProps } from "./usePainting";
import { ChartView } from "./view";

const LANES = [
  { lane: 0, letter: "A", name: "off" },
  { lane: 1, letter: "B", name: "all" },
];
const KNOWN_MS = 30_000;
/** A machine that has other work draws late. */
const PATIENCE = { timeout: 30_000 };

let feed: LiveFeed;
let place: HTMLElement;
let root: Root | null = null;
let demo: PlausibleDemo;
let feeding: ReturnType<typeof setInterval> | undefined;

beforeEach(() => {
  feed = new LiveFeed();
  demo = new PlausibleDemo([false, true], 20);
  const now_ms = performance.now();
  for (let at_ms = 100; at_ms <= KNOWN_MS; at_ms += 100) {
    for (const message of demo.until(at_ms)) feed.take(message, now_ms);
  }
  place = document.createElement("div");
  document.body.append(place);
});

afterEach(() => {
  clearInterval(feeding);
  root?.unmount();
  root = null;
  place.remove();
});

function shown(): void {
  root = createRoot(place);
  root.render(<DemoCharts feed={feed} lanes={LANES} about={ABOUT} sound />);
}

/** So that there are packets in sight however late a test looks. */
function goesOn(): void {
  const began_ms = performance.now();
  feeding = setInterval(() => {
    const now_ms = performance.now();
    for (const message of demo.until(KNOWN_MS + now_ms - began_ms)) feed.take(message, now_ms);
  }, 100);
}

const until = <Found,>(look: () => Found) => vi.waitUntil(look, PATIENCE);

const ladder = () => until(() => place.querySelector<HTMLCanvasElement>("[role=application]"));

/** Of charts that go on, as a reader comes to it by the keyboard. */
async function ladderInFocus(): Promise<HTMLCanvasElement> {
  goesOn();
  shown();
  const canvas = await ladder();
  await until(() => drawnShare(canvas) > 0.01);
  canvas.focus();
  return canvas;
}

const details = () => place.querySelector("[data-testid=packet-details]")?.textContent ?? "";

/** How much of a canvas is not its ground. */
function drawnShare(canvas: HTMLCanvasElement): number {
  const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
  if (!pixels) throw new Error("no pixels");
  const ground = pixels.slice(0, 3).join();
  let other = 0;
  for (let at = 0; at < pixels.length; at += 4) {
    if (pixels.slice(at, at + 3).join() !== ground) other += 1;
  }
  return (other / pixels.length) * 4;
}

test("every chart is drawn, in sight or not", async () => {
  shown();
  await ladder();
  const canvases = [...place.querySelectorAll("canvas")];
  expect(canvases).toHaveLength(5);
  for (const canvas of canvases) {
    await until(() => {
      canvas.scrollIntoView();
      return canvas.width > 0 && drawnShare(canvas) > 0.005;
    });
  }
});

test("the newest event that is drawn can be watched for", async () => {
  shown();
  const newest = feed.store.events.last;
  await until(
    () =>
      place.querySelector("[data-drawn-event]")?.getAttribute("data-drawn-event") ===
      String(newest?.number),
  );
});

test("arrow keys go from packet to packet, and the charts stand still meanwhile", async () => {
  await ladderInFocus();
  await userEvent.keyboard("{End}");
  await until(() => details().includes("of lane A: off"));
  expect(place.textContent).toContain("Go on with the charts");
  const first = details();
  await userEvent.keyboard("{ArrowLeft}");
  await until(() => details() !== first);
  await userEvent.keyboard("{ArrowDown}");
  await until(() => details().includes("of lane B: all"));
  await userEvent.keyboard("{Escape}");
  await until(() => details().startsWith("Click a packet"));
  await userEvent.keyboard(" ");
  await until(() => place.textContent?.includes("Stop the charts"));
});

test("far enough to the left, the ladder moves along", async () => {
  const canvas = await ladderInFocus();
  await userEvent.keyboard("{Home}");
  await until(() => details().includes("Left at"));
  const leftAt = () => Number(/Left at([\d.]+) s/.exec(details())?.[1]);
  const before_s = leftAt();
  for (let press = 0; press < 3; press++) await userEvent.keyboard("{ArrowLeft}");
  await until(() => leftAt() < before_s);
  expect(drawnShare(canvas)).toBeGreaterThan(0.01);
});

test("a click on a packet tells of it", async () => {
  goesOn();
  shown();
  const canvas = await ladder();
  await until(() => drawnShare(canvas) > 0.01);
  const { width } = canvas.getBoundingClientRect();
  await userEvent.click(canvas, { position: { x: width / 2, y: 90 } });
  await until(() => details().includes("of lane A: off"));
});

test("the table has the agent's figures themselves", async () => {
  shown();
  await ladder();
  const summary = [...place.querySelectorAll("section")]
    .find((section) => section.textContent?.startsWith("Latency over time"))
    ?.querySelector("summary");
  if (!summary) throw new Error("no table");
  await userEvent.click(summary);
  const row = await until(() =>
    [...place.querySelectorAll("tr")].find(
      (one) => one.querySelector("th")?.textContent === "Application latency, 99 %",
    ),
  );
  const values = [...row.querySelectorAll("data")].map(({ value }) => Number(value));
  const expected = feed.store.lanes.flatMap(({ figures }) => [
    figures?.whole.metrics.application.per_message.p99_us,
    figures?.last_minute?.metrics.application.per_message.p99_us,
  ]);
  expect(values).toEqual(expected);
});

const PICTURES = { ladderPicture, latencyPicture, socketsPicture };
const settings = { lanes: LANES, logarithmic: false, sound: true };
/** So that the right edge lies on a whole pixel. */
const SIZE = { width: 1_000, height: 350 };

const ABOUT: About = {
  title: "A demo",
  began_at: null,
  blind: false,
  settingAt: (at_ms) => ({
    at_ms,
    path: "each way delay 65 ms, loss 2 %",
    stream: "a clip",
    senders: ["No mechanism, on NewReno (2008)", "Bundling, on NewReno (2008)"],
  }),
};

function chart(about = ABOUT): ChartProps {
  const view = new ChartView(feed);
  view.set({ ladder_ms: 5_000, history_ms: 20_000, frozen_ms: KNOWN_MS });
  return { view, lanes: LANES.map((lane) => ({ ...lane, heard: lane.letter === "A" })), about };
}

function paintings() {
  const { view } = chart();
  return Object.entries(PICTURES).map(([name, picture]) => ({
    name,
    painting: timePainting<never>(view, picture(view, settings) as never),
  }));
}

function pixels(context: CanvasRenderingContext2D, { width, height } = SIZE): Uint8ClampedArray {
  return context.getImageData(0, 0, width, height).data;
}

function blank({ width, height } = SIZE): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) throw new Error("no canvas");
  return context;
}

test("what is put together from tiles is what is drawn whole", () => {
  for (const { name, painting } of paintings()) {
    const [tiled, whole] = [blank(), blank()];
    painting.paint({ context: tiled, ...SIZE, ratio: 1 }, palette(), true);
    painting.draw(whole, SIZE, palette());
    const [one, other] = [pixels(tiled), pixels(whole)];
    let different = 0;
    for (let at = 0; at < one.length; at += 4) {
      const apart = [0, 1, 2].some(
        (channel) => Math.abs((one[at + channel] ?? 0) - (other[at + channel] ?? 0)) > 64,
      );
      if (apart) different += 1;
    }
    // Dashes begin anew on each tile.
    expect(different / (one.length / 4), name).toBeLessThan(0.01);
  }
});

test("files show the same picture as the page", async () => {
  for (const { name, painting } of paintings()) {
    const plate = plateOf(chart(), { title: name, painting, legend: PACKET_ENTRIES }, SIZE);
    const png = await createImageBitmap(await pngOf(pictureOf(plate, palette())));
    const text = svgOf(pictureOf(plate, palette()));
    const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
    expect(parsed.querySelector("parsererror"), name).toBeNull();
    const size = { width: png.width / 2, height: png.height / 2 };
    expect(size.height, name).toBeGreaterThan(SIZE.height);
    const image = new Image(size.width, size.height);
    image.src = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    await image.decode();
    const [fromSvg, fromPng] = [blank(size), blank(size)];
    fromSvg.drawImage(image, 0, 0, size.width, size.height);
    fromPng.drawImage(png, 0, 0, size.width, size.height);
    const [one, other] = [pixels(fromSvg, size), pixels(fromPng, size)];
    let different = 0;
    for (let at = 0; at < one.length; at += 4) {
      if (Math.abs((one[at] ?? 0) - (other[at] ?? 0)) > 96) different += 1;
    }
    expect(different / (one.length / 4), name).toBeLessThan(0.02);
    URL.revokeObjectURL(image.src);
  }
});

/** All words of a saved chart, as a reader finds them. */
function wordsOf(about: About): string {
  const own = chart(about);
  // So that something was changed in it.
  own.view.set({ ladder_ms: 15_000 });
  const painting = timePainting<never>(
    own.view,
    ladderPicture(own.view, { ...settings, lanes: own.lanes }) as never,
  );
  const plate = plateOf(own, { title: "Packets", painting, legend: PACKET_ENTRIES }, SIZE);
  const text = svgOf(pictureOf(plate, palette()));
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  return [...parsed.querySelectorAll("text")].map(({ textContent }) => textContent).join(" ");
}

test("what is saved can be read without the page", () => {
  const words = wordsOf(ABOUT);
  for (const told of [
    "A demo, take 1, 0:15 to 0:30",
    "Time since the demo began",
    "each way delay 65 ms, loss 2 %",
    "Lane A: off. No mechanism, on NewReno (2008).",
    "Lane B: all. Bundling, on NewReno (2008).",
    "Changes: 0:20 Lane B: all on newreno2008.",
    ...PACKET_ENTRIES.map(({ text }) => text),
  ]) {
    expect(words).toContain(told);
  }
  expect(words).not.toContain("you hear it");
});

test("what is saved in blind mode tells lanes by letters alone", () => {
  const words = wordsOf({ ...ABOUT, blind: true });
  expect(words).toMatch(/\bA\b.*\bB\b/);
  expect(words).toContain("Saved in blind mode");
  expect(words).not.toMatch(/\b(off|all)\b|newreno|NewReno|mechanism|delay 65|Lane [AB]:/);
});
