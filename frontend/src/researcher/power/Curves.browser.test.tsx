// What the plan can show: drawn, and in a table for whoever cannot see the drawing.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import { faultsOf } from "../../design/accessible";
import { type Rendered, rendered } from "../../design/rendered";
import { Curves } from "./Curves";
import { madeUpCurve, madeUpTest } from "./madeUpCurve";

/** What is of a whole page is not asked of a part. */
const SIZES = [12, 24];
const TEST = madeUpTest({ null_value: 0.5, effects: [0.5, 0.7], sizes: SIZES });

let shown: Rendered | null = null;

afterEach(() => shown?.close());

const choose = (place: HTMLElement, words: string) => {
  const label = [...place.querySelectorAll("label")].find((one) => one.textContent === words);
  label?.querySelector("input")?.click();
};

test("each test is drawn, told in a table, and can be turned round", async () => {
  shown = rendered(<Curves curve={madeUpCurve([TEST], SIZES)} />);
  const { place } = shown;
  await vi.waitFor(() => expect(place.querySelector("canvas")).not.toBeNull());
  const drawing = () => place.querySelector("[role=img]")?.getAttribute("aria-label");
  expect(drawing()).toContain("changes: share of studies in which a difference is shown");
  const [table, together] = [...place.querySelectorAll("table")];
  expect(table?.textContent).toContain("50 %21.2 % 21–2122.4 % 22–22");
  expect(together?.textContent).toContain("stops early in 25 %, with 10 on average");
  choose(place, "None that matters is shown");
  await vi.waitFor(() => expect(table?.textContent).toContain("50 %1.20 % 1–12.40 % 2–2"));
  choose(place, "Over the effect");
  await vi.waitFor(() => expect(drawing()).toContain("over the effect"));
  expect(place.querySelector("figcaption")?.textContent).toContain("24 participants");
  expect(await faultsOf(place)).toEqual([]);
});

test("a test on too few recordings says what is missing", async () => {
  const few = madeUpTest({ null_value: 0.5, effects: [0.5], sizes: SIZES, generalises: false });
  shown = rendered(<Curves curve={madeUpCurve([few], SIZES)} />);
  const { place } = shown;
  await vi.waitFor(() => expect(place.textContent).toContain("needs more runs"));
});
