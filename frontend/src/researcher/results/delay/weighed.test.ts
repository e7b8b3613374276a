// Differences land where they belong, and the line of equal preference goes where the votes say.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { madeUpEstimate } from "../madeUpEstimate";
import { MADE_UP_WEIGHED, madeUpPair } from "./madeUpWeighed";
import { axesOf, largestFirst, lineOf, saidLine, sideOf } from "./weighed";
import { weighedNote } from "./weighedWords";

const { right, up } = axesOf(MADE_UP_WEIGHED);

test("axes name what differs, and in which unit people read it", () => {
  expect(right.title).toBe("Difference in “Damaged sound”, b − a, in ms");
  expect(up.title).toBe("Difference in “Later than usual”, b − a, in ms");
  const shares = axesOf({ ...MADE_UP_WEIGHED, unit: "share", other_unit: "" });
  expect(shares.up.title).toBe("Difference in “Later than usual”, b − a, in %");
  expect(shares.up.say(-0.0425)).toBe("−4.25");
  expect(shares.right.title).toBe("Difference in “Damaged sound”, b − a");
});

test("every pair is within the plot, and so is nought with room on either side", () => {
  for (const { apart, other_apart } of MADE_UP_WEIGHED.points) {
    for (const place of [right.at(other_apart), up.at(apart)]) {
      expect(place).toBeGreaterThan(3);
      expect(place).toBeLessThan(97);
    }
  }
  const above = axesOf({ ...MADE_UP_WEIGHED, points: [madeUpPair({ apart: 9, other_apart: 5 })] });
  expect(above.up.at(0)).toBeGreaterThan(20);
  expect(above.right.at(0)).toBeGreaterThan(20);
});

test("ticks are round, signed, and few", () => {
  expect(right.ticks.map(right.say)).toEqual(["−100", "−50", "0"]);
  expect(up.ticks.map(up.say)).toEqual(["−20", "0", "+20", "+40", "+60", "+80"]);
  const points = [madeUpPair({ apart: -0.008 }), madeUpPair({ apart: 0.024 })];
  const fine = axesOf({ ...MADE_UP_WEIGHED, unit: "", points }).up;
  expect(fine.ticks.map(fine.say)).toEqual(["0", "+0.01", "+0.02"]);
  expect(up.say(-2_500_000_000)).toBe("−2.5M");
});

test("pairs that do not differ leave axes that can be drawn", () => {
  const same = axesOf({ ...MADE_UP_WEIGHED, points: [madeUpPair({})] });
  expect(same.right.at(0)).toBe(50);
  expect(same.up.ticks.length).toBeGreaterThan(1);
});

test("the line falls by what a unit is worth, its band around it, both through the origin", () => {
  const [first, origin, last] = lineOf(MADE_UP_WEIGHED, right);
  expect(first?.apart).toBeCloseTo(-500 * right.least);
  expect(first?.low).toBeCloseTo(-350 * right.least);
  expect(first?.high).toBeCloseTo(-700 * right.least);
  expect([origin?.low, origin?.apart, origin?.high].map((one) => one === 0)).toEqual(
    Array(3).fill(true),
  );
  expect(last?.low).toBeCloseTo(-700 * right.most);
  expect(last?.high).toBeCloseTo(-350 * right.most);
});

test("without an interval there is no band, and without a worth no line", () => {
  const open = { ...MADE_UP_WEIGHED, worth: madeUpEstimate({ value: 500, low: 350, high: null }) };
  for (const { apart, low, high } of lineOf(open, right))
    expect([low, high]).toEqual([apart, apart]);
  expect(weighedNote(open, 0.95)).not.toContain("band");
  const none = { ...MADE_UP_WEIGHED, worth: null };
  expect(lineOf(none, right)).toEqual([]);
  expect(weighedNote(none, 0.95)).toBe("A mark is a pair of recordings, as large as it has votes.");
});

test("a pair speaks for whom more of its votes are", () => {
  expect(MADE_UP_WEIGHED.points.map(sideOf)).toEqual(["a", "b", "both", "b"]);
  expect(sideOf(madeUpPair({ votes_none: 4 }))).toBe("both");
});

test("the mark that would hide others is drawn first", () => {
  expect(largestFirst(MADE_UP_WEIGHED.points)[0]?.trial_id).toBe("t2");
});

test("the votes say who is preferred above the line", () => {
  expect(saidLine(MADE_UP_WEIGHED)).toBe(
    "On the line both are preferred alike; above it a, below it b.",
  );
  // People want more of such metrics.
  const wanted = MADE_UP_WEIGHED.points.map((point) => ({
    ...point,
    votes_a: point.votes_b,
    votes_b: point.votes_a,
  }));
  expect(saidLine({ ...MADE_UP_WEIGHED, points: wanted })).toContain("above it b, below it a");
  expect(saidLine({ ...MADE_UP_WEIGHED, points: [] })).toBe(
    "On the line both are preferred alike.",
  );
});
