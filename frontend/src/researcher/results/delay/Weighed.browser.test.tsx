// Two metrics weighed against each other can be seen at any width, taken away, and read without
// seeing.
// SPDX-License-Identifier: Apache-2.0
import "../../../design/tokens.css";
import "../../../design/base.css";
import { afterEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import type { WeighedFindings } from "../../../api/generated";
import { faultsOf } from "../../../design/accessible";
import { TitledCard } from "../../../design/Card";
import { type Rendered, rendered } from "../../../design/rendered";
import { MADE_UP_RATED, MADE_UP_WEIGHED } from "./madeUpWeighed";
import { Weighed } from "./Weighed";

let shown: Rendered;

afterEach(() => shown.close());

async function show(found: WeighedFindings): Promise<HTMLElement> {
  shown = rendered(
    <TitledCard id="weighed" title="Votes against delay">
      <Weighed block="main" found={found} confidence={0.95} />
    </TitledCard>,
  );
  await expect.poll(() => shown.place.childElementCount).toBeGreaterThan(0);
  return shown.place;
}

const marksOf = (place: Element) => [...place.querySelectorAll('[role="img"] [class*="sign"]')];

const middleOf = (element: Element | null | undefined) => {
  const { left, top, width, height } = element?.getBoundingClientRect() ?? new DOMRect();
  return { x: left + width / 2, y: top + height / 2 };
};

test.each([1280, 390])("marks lie at their differences, in the plot, at %i px", async (width) => {
  await page.viewport(width, 900);
  const place = await show(MADE_UP_WEIGHED);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  const marks = marksOf(place);
  expect(marks).toHaveLength(4);
  const plot = place.querySelector('[class*="plot"]')?.getBoundingClientRect() ?? new DOMRect();
  for (const mark of marks) {
    const { left, right, top, bottom } = mark.getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(plot.left);
    expect(right).toBeLessThanOrEqual(plot.right);
    expect(top).toBeGreaterThanOrEqual(plot.top);
    expect(bottom).toBeLessThanOrEqual(plot.bottom);
  }
  const [upright, level] = place.querySelectorAll('[class*="nought"]');
  const origin = { x: middleOf(upright).x, y: middleOf(level).y };
  // By votes: t2 is more damaged in a, and t3’s second run is earlier in b.
  const [most, second] = marks.map(middleOf);
  expect(most?.x).toBeLessThan(origin.x);
  expect(most?.y).toBeLessThan(origin.y);
  expect(second?.y).not.toBe(origin.y);
  const ticks = [...place.querySelectorAll('[class*="along"] > span')].map((tick) =>
    tick.getBoundingClientRect(),
  );
  for (const [index, tick] of ticks.entries()) {
    expect(tick.right).toBeLessThan(ticks[index + 1]?.left ?? width);
  }
  expect(await faultsOf(place)).toEqual([]);
});

test("whom a pair speaks for is told by shape and by colour", async () => {
  const place = await show(MADE_UP_WEIGHED);
  const drawn = marksOf(place).map((mark) => {
    const shape = mark.firstElementChild as SVGElement;
    return [shape.getAttribute("d") ?? shape.tagName, getComputedStyle(shape).fill];
  });
  expect(new Set(drawn.map(([shape]) => shape)).size).toBe(3);
  expect(new Set(drawn.map(([, fill]) => fill)).size).toBe(3);
  const keys = place.querySelector("figcaption");
  for (const key of ["More votes for a", "More votes for b", "As many for each"])
    expect(keys?.textContent).toContain(key);
});

test("the line of equal preference has its band, its key, and what it means", async () => {
  const place = await show(MADE_UP_WEIGHED);
  expect(place.querySelector("polyline")).not.toBeNull();
  expect(place.querySelector("figcaption")?.textContent).toContain("Equal preference");
  expect(place.textContent).toContain("above it a, below it b");
  expect(place.textContent).toContain("The band holds 95 %.");
});

test("where the votes set no line, the pairs are still there, and why", async () => {
  const place = await show({ ...MADE_UP_WEIGHED, worth: null, sentence: "They do not tell." });
  expect(place.querySelector("polyline")).toBeNull();
  expect(place.textContent).not.toContain("Equal preference");
  expect(place.textContent).toContain("They do not tell.");
  expect(marksOf(place)).toHaveLength(4);
});

test("without a pair there is but the sentence", async () => {
  const place = await show({ ...MADE_UP_WEIGHED, points: [], worth: null, sentence: "No pairs." });
  expect(place.textContent).toContain("No pairs.");
  expect(place.querySelector("figure")).toBeNull();
});

test("it has a name, a table of every pair, and can be taken away", async () => {
  const place = await show(MADE_UP_WEIGHED);
  expect(place.querySelector('[role="img"]')?.getAttribute("aria-label")).toContain("4 pairs");
  for (const details of place.querySelectorAll("details")) details.open = true;
  const rows = [...place.querySelectorAll("tbody tr")].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  expect(rows).toHaveLength(4);
  expect(rows[0]).toEqual(["t1", "1", "−90", "+80", "9", "2", "0"]);
  const name = "“Later than usual” against “Damaged sound” · main";
  for (const action of ["Copy plot", "Save PNG", "Save SVG"])
    await expect.element(page.getByRole("button", { name: `${action}: ${name}` })).toBeVisible();
  expect(await faultsOf(place)).toEqual([]);
});

test("of ratings each recording has its place, its mark, and its mean in the table", async () => {
  await page.viewport(390, 900);
  const place = await show(MADE_UP_RATED);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390);
  const fills = marksOf(place).map((mark) => {
    const shape = mark.firstElementChild as SVGElement;
    return [shape.getAttribute("d") ?? shape.tagName, getComputedStyle(shape).fill].join(" ");
  });
  expect(fills).toHaveLength(4);
  expect(new Set(fills).size).toBe(3);
  expect(place.querySelector('[class*="nought"]')).toBeNull();
  const keys = place.querySelector("figcaption")?.textContent;
  for (const key of ["Mean rating below 2.5", "2.5 to 3.5", "3.5 or more", "Equal rating"])
    expect(keys).toContain(key);
  expect(place.querySelector('[role="img"]')?.getAttribute("aria-label")).toContain("4 recordings");
  for (const details of place.querySelectorAll("details")) details.open = true;
  const rows = [...place.querySelectorAll("tbody tr")].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
  expect(rows[1]).toEqual(["late", "1", "0", "80", "40", "2.10"]);
  expect(await faultsOf(place)).toEqual([]);
});
