import { expect, test } from "vitest";
import { heightOf, roundDown, roundUp, steadyMost, ticksOf } from "./scales";

test("ends are round, and round ones stay", () => {
  expect([0.013, 1, 1.01, 260, 500, 501, 900].map(roundUp)).toEqual([
    0.02, 1, 2, 500, 500, 1000, 1000,
  ]);
  expect([0.013, 1, 4.9, 260, 500, 999].map(roundDown)).toEqual([0.01, 1, 2, 200, 500, 500]);
  expect(roundUp(0)).toBe(1);
});

test("a scale grows at once and shrinks only when most of it is empty", () => {
  let most = 0;
  const seen = [120, 480, 300, 170, 160, 900].map((highest) => {
    most = steadyMost(most, highest, 100);
    return most;
  });
  expect(seen).toEqual([200, 500, 500, 500, 200, 1000]);
});

test("heights are shares of the scale, cut off outside", () => {
  const linear = { least: 0, most: 200, logarithmic: false };
  expect([-5, 0, 50, 200, 900].map((value) => heightOf(value, linear))).toEqual([0, 0, 0.25, 1, 1]);
  const logarithmic = { least: 10, most: 1000, logarithmic: true };
  expect(heightOf(100, logarithmic)).toBeCloseTo(0.5);
  expect(heightOf(0, logarithmic)).toBe(0);
});

test("ticks are round", () => {
  expect(ticksOf({ least: 0, most: 500, logarithmic: false })).toEqual([0, 200, 400]);
  expect(ticksOf({ least: 0, most: 0.2, logarithmic: false })).toEqual([0, 0.05, 0.1, 0.15, 0.2]);
  expect(ticksOf({ least: 50, most: 1000, logarithmic: true })).toEqual([50, 100, 200, 500, 1000]);
  expect(ticksOf({ least: 1, most: 10_000, logarithmic: true })).toEqual([
    1, 10, 100, 1000, 10_000,
  ]);
});
