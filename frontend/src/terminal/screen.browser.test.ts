// The glass in Chromium: its size, its rules, and when something can be seen.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from "vitest";
import { COLUMNS, ROWS, type Screen } from "./screen";
import { type PlacedScreen, placeScreen } from "./screenPlace";

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

function screenIn(width_px: number): PlacedScreen {
  const placed = placeScreen(width_px);
  open.push(placed.remove);
  return placed;
}

const painted = (screen: Screen, data: string) =>
  new Promise<number>((done) => screen.write(data, done));

test.each([340, 390, 760, 1280])("all 80 columns fit into %i px", async (width_px) => {
  const { screen, place } = screenIn(width_px);
  await painted(screen, "x".repeat(COLUMNS));
  const cells = place.querySelector(".xterm-screen")?.getBoundingClientRect();
  expect(screen.rows()).toHaveLength(ROWS);
  expect(cells?.width).toBeGreaterThan(Math.min(700, 0.9 * width_px));
  expect(cells?.width).toBeLessThanOrEqual(width_px);
});

test("a place that grows narrower makes the characters smaller", async () => {
  const { screen, place } = screenIn(800);
  const before = screen.terminal.options.fontSize ?? 0;
  place.style.width = "400px";
  await expect.poll(() => screen.terminal.options.fontSize ?? 0).toBeLessThan(before);
  await expect
    .poll(() => place.querySelector(".xterm-screen")?.getBoundingClientRect().width ?? 999)
    .toBeLessThanOrEqual(400);
  expect(screen.terminal.cols).toBe(COLUMNS);
});

test("rules come as constructed sheets, never as style elements, and leave with the screen", async () => {
  const sheets = document.adoptedStyleSheets.length;
  const elements = document.querySelectorAll("style").length;
  const { screen, place } = screenIn(800);
  await painted(screen, "\u001b[31mred");
  expect(place.querySelectorAll("style")).toHaveLength(0);
  expect(document.querySelectorAll("style").length).toBe(elements);
  expect(document.adoptedStyleSheets.length).toBeGreaterThan(sheets);
  const red = place.querySelector(".xterm-rows span.xterm-fg-1");
  expect(red && getComputedStyle(red).color).toBe("rgb(242, 162, 156)");
  screen.dispose();
  open.splice(0);
  place.remove();
  expect(document.adoptedStyleSheets.length).toBe(sheets);
});

test("each screen is told as painted once, in order, when it stands in the page", async () => {
  const { screen, place } = screenIn(800);
  const seen: [number, boolean][] = [];
  const words = ["one", "two", "three"];
  await new Promise<void>((done) => {
    words.forEach((word, number) => {
      screen.write(`${word} `, () => {
        seen.push([number, place.textContent?.includes(word) ?? false]);
        if (seen.length === words.length) done();
      });
    });
  });
  expect(seen).toEqual([
    [0, true],
    [1, true],
    [2, true],
  ]);
});

test("what one frame shows bears one instant, however long each is looked at", async () => {
  const { screen } = screenIn(800);
  const instants_us: number[] = [];
  await new Promise<void>((done) => {
    for (let screens = 0; screens < 3; screens += 1)
      screen.write("x", (at_us) => {
        instants_us.push(at_us);
        const until_ms = performance.now() + 5;
        while (performance.now() < until_ms);
        if (instants_us.length === 3) done();
      });
  });
  expect(new Set(instants_us).size).toBe(1);
});

test("a screen without anything to draw is told as well", async () => {
  const { screen } = screenIn(800);
  await painted(screen, "");
  await painted(screen, "\u001b[0m");
});
