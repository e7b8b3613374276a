// The lines of a power chart: which are drawn, and how effects are written.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { PlannedTest } from "../../api/generated";
import { chartOf, saidEffect } from "./chart";
import { madeUpTest } from "./madeUpCurve";

const TEST: PlannedTest = madeUpTest({ null_value: 0.5, effects: [0.3, 0.5], sizes: [12, 24] });

test("over participants there is a line for each effect, rising", () => {
  const chart = chartOf(TEST, [12, 24], "participants", "shown");
  expect(chart.places).toEqual([12, 24]);
  expect(chart.lines.map(({ name }) => name)).toEqual(["30 %", "no effect"]);
  expect(chart.lines[0]?.shares).toEqual([0.212, 0.224]);
});

test("over the effect there is a line for each number of participants", () => {
  const chart = chartOf(TEST, [12, 24], "effect", "none");
  expect(chart.places).toEqual([0.3, 0.5]);
  expect(chart.lines).toEqual([
    { name: "12 participants", shares: [0.012, 0.012] },
    { name: "24 participants", shares: [0.024, 0.024] },
  ]);
});

test("effects are written in their unit, with a true minus sign", () => {
  expect(saidEffect({ unit: "share" }, 0.625)).toBe("62.5 %");
  expect(saidEffect({ unit: "cmos" }, -0.5)).toBe("−0.50");
  expect(saidEffect({ unit: "mos" }, 0)).toBe("0");
});
