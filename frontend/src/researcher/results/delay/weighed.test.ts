// Differences land where they belong, and the line of equal preference goes where the votes say.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { madeUpEstimate } from "../madeUpEstimate";
import { MADE_UP_RATED, MADE_UP_WEIGHED, madeUpPair, madeUpRated } from "./madeUpWeighed";
import { axesOf, lineOf, placesOf, ratingOf, saidLine, sideOf } from "./weighed";
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
  expect(placesOf(MADE_UP_WEIGHED)[0]?.key).toBe("t2 0");
  expect(placesOf(MADE_UP_RATED)[0]?.key).toBe("late 0");
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

test("a recording is rated high, in the middle, or low, as its mean says", () => {
  expect(MADE_UP_RATED.rated.map(ratingOf)).toEqual(["high", "low", "middle", "middle"]);
  expect(ratingOf(madeUpRated({ score: 3.5 }))).toBe("high");
  expect(ratingOf(madeUpRated({ score: 2.49 }))).toBe("low");
});

test("what is rated lies at its metrics, which have no sign", () => {
  const axes = axesOf(MADE_UP_RATED);
  expect(axes.right.title).toBe("“Damaged sound”, in ms");
  expect(axes.up.title).toBe("“Later than usual”, in ms");
  expect(axes.up.ticks.map(axes.up.say)).toEqual(["0", "20", "40", "60", "80"]);
  for (const { right: across, up: upwards } of placesOf(MADE_UP_RATED)) {
    for (const place of [axes.right.at(across), axes.up.at(upwards)]) {
      expect(place).toBeGreaterThan(3);
      expect(place).toBeLessThan(97);
    }
  }
});

test("the line of equal rating goes through the middle of all votes", () => {
  const axes = axesOf(MADE_UP_RATED);
  const [first, middle, last] = lineOf(MADE_UP_RATED, axes.right);
  expect(middle?.other_apart).toBeCloseTo(36);
  expect(middle?.apart).toBeCloseTo(37_200);
  expect([middle?.low, middle?.high]).toEqual([middle?.apart, middle?.apart]);
  expect(first?.apart).toBeCloseTo(37_200 - 500 * (axes.right.least - 36));
  expect(last?.high).toBeCloseTo(37_200 - 350 * (axes.right.most - 36));
  expect(saidLine(MADE_UP_RATED)).toContain("what lies below it is rated better");
  expect(weighedNote(MADE_UP_RATED, 0.95)).toContain("A mark is a recording, as large");
});
