import { expect, test } from "vitest";
import { decadeTicks, hasNumber, roundTicks } from "./ticks";

test("ticks are round wherever the axis begins", () => {
  expect(decadeTicks(61.75, 420)).toEqual([70, 80, 90, 100, 200, 300, 400]);
  expect(decadeTicks(0.03, 0.11)).toEqual([0.03, 0.04, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1]);
});

test("1, 2 and 5 of each decade are numbered", () => {
  expect(decadeTicks(60, 3000).filter(hasNumber)).toEqual([100, 200, 500, 1000, 2000]);
});

test("ticks of an even axis are round, and its ends are among them where they are round", () => {
  expect(roundTicks(0, 1, 5)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
  expect(roundTicks(0, 237, 5)).toEqual([0, 50, 100, 150, 200]);
  expect(roundTicks(3, 3.9, 5)).toHaveLength(5);
});
