import { expect, test } from "vitest";
import type { KeyPassage, ScreenShown, TypingReplay } from "../../../api/generated";
import { later } from "./playback";
import { lengthOf, reachOf } from "./scales";
import { seenAt, seenBy } from "./screensSeen";

const screen = (at_us: number, painted_us: number | null): ScreenShown => ({
  number: 1,
  at_us,
  painted_us,
  answers_key: 0,
  data: "x",
});
const key = (pressed_us: number, painted_us: number | null) =>
  ({ pressed_us, painted_us }) as KeyPassage;

test("a screen was seen when it was painted, or else read, and not before the start", () => {
  expect(seenAt(screen(100, 250))).toBe(250);
  expect(seenAt(screen(100, null))).toBe(100);
  expect(seenAt(screen(-900, -500))).toBe(0);
  expect(seenAt(screen(-900, 30_000))).toBe(0);
});

test("screens are written in their order up to the moment", () => {
  const screens = [screen(-5, null), screen(100, 250), screen(300, 400)];
  expect([0, 249, 250, 400].map((at_us) => seenBy(screens, at_us))).toEqual([1, 1, 2, 3]);
});

test("a replay is as long as whatever came last", () => {
  const session = {
    ready_at: "2026-11-21T21:00:00Z",
    ended_at: "2026-11-21T21:00:05Z",
    keys: [key(4_900_000, 300_000)],
  } as unknown as TypingReplay;
  expect(lengthOf(session, [])).toBe(5_200_000);
  expect(lengthOf({ ...session, keys: [] }, [])).toBe(5_000_000);
  expect(lengthOf({ ...session, ready_at: null, keys: [] }, [screen(0, 7e6)])).toBe(7e6);
});

test("the keys' chart reaches over nearly all keys, and never too low", () => {
  expect(reachOf([])).toBe(200_000);
  const keys = Array.from({ length: 200 }, (_, n) => key(n, n === 0 ? 9e6 : 500_000));
  expect(reachOf(keys)).toBeCloseTo(575_000);
});

test("time passes by the speed and stops at the end", () => {
  expect(later(1e6, 16, 2, 10e6)).toBe(1_032_000);
  expect(later(9.99e6, 16, 8, 10e6)).toBe(10e6);
});
