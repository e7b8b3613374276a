import { expect, test } from "vitest";
import { around, place, ticks } from "./timeWindow";

test("a window stays within the session and shows more of what was", () => {
  expect(around(0, 20e6, 4e6)).toEqual({ from_us: 0, to_us: 4e6 });
  expect(around(20e6, 20e6, 4e6)).toEqual({ from_us: 16e6, to_us: 20e6 });
  const window = around(10e6, 20e6, 4e6);
  expect(window.to_us - window.from_us).toBe(4e6);
  expect(10e6 - window.from_us).toBeGreaterThan(window.to_us - 10e6);
  expect(around(1e6, 2e6, 4e6)).toEqual({ from_us: 0, to_us: 4e6 });
});

test("instants are placed from edge to edge", () => {
  const window = { from_us: 2e6, to_us: 6e6 };
  expect([2e6, 4e6, 6e6].map((at_us) => place(at_us, window, 1000))).toEqual([0, 500, 1000]);
});

test.each([1e6, 4e6, 15e6])("ticks of %i µs are round, few and inside", (length_us) => {
  const window = { from_us: 1_234_567, to_us: 1_234_567 + length_us };
  const found = ticks(window);
  expect(found.length).toBeGreaterThan(1);
  expect(found.length).toBeLessThanOrEqual(7);
  for (const tick of found) {
    expect(tick).toBeGreaterThanOrEqual(window.from_us);
    expect(tick).toBeLessThanOrEqual(window.to_us);
    expect(tick % 1e5).toBe(0);
  }
});
