import { expect, test } from "vitest";
import { clockText, timeStep_ms, timeTicks_ms, xOf } from "./stretch";

const stretch = { from_ms: 1_950, to_ms: 4_000, px_per_ms: 0.1, now_ms: 4_000 };

test("instants lie on round steps far enough apart", () => {
  expect(timeStep_ms(0.25)).toBe(500);
  expect(timeStep_ms(0.02)).toBe(5_000);
  expect(timeTicks_ms(stretch, 1_000)).toEqual([2_000, 3_000, 4_000]);
  expect(timeTicks_ms(stretch, 1_000, 1_000)).toEqual([1_000, 2_000, 3_000, 4_000, 5_000]);
  expect(timeTicks_ms({ ...stretch, from_ms: -1_500, to_ms: 500 }, 1_000)).toEqual([0]);
});

test("a stretch begins at 0 px", () => {
  expect(xOf(1_950, stretch)).toBe(0);
  expect(xOf(2_950, stretch)).toBeCloseTo(100);
});

test("instants read as minutes and seconds", () => {
  expect(clockText(0, 1_000)).toBe("0:00");
  expect(clockText(65_000, 5_000)).toBe("1:05");
  expect(clockText(59_960, 1_000)).toBe("1:00");
  expect(clockText(65_500, 500)).toBe("1:05.5");
  expect(clockText(3_725_020, 20)).toBe("62:05.02");
});
