// Parts of a recording: what sounds again counts once.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { cover, lengthOf, sounded } from "./coverage";
import type { Region } from "./fade";

const part = (from_s: number, to_s: number): Region => ({ from_s, to_s });
const of = (...parts: Region[]) => parts.reduce<readonly Region[]>(cover, []);

test("what sounds again counts once", () => {
  const heard = of(part(0, 5), part(0, 5), part(3, 7));
  expect(heard).toEqual([part(0, 7)]);
  expect(lengthOf(heard)).toBe(7);
});

test("parts that are apart stay apart, in their order, until what is between sounds", () => {
  const heard = of(part(20, 30), part(0, 10));
  expect(heard).toEqual([part(0, 10), part(20, 30)]);
  expect(lengthOf(heard)).toBe(20);
  expect(cover(heard, part(9, 21))).toEqual([part(0, 30)]);
});

test("nothing adds nothing", () => {
  expect(of(part(4, 4), part(6, 5))).toEqual([]);
});

test("passages that nearly touch are one", () => {
  expect(of(part(0, 1), part(1.004, 2))).toEqual([part(0, 2)]);
});

test("without a loop the way from one position to the next sounded", () => {
  expect(sounded(3, 4, 1, null)).toEqual([part(3, 4)]);
});

test("round the seam of a loop both its ends sounded, and after a round all of it", () => {
  const loop = part(10, 12);
  expect(sounded(10.5, 11, 0.5, loop)).toEqual([part(10.5, 11)]);
  expect(sounded(11.5, 10.5, 1, loop)).toEqual([part(11.5, 12), part(10, 10.5)]);
  // As in a tab that was not woken for minutes.
  expect(sounded(11.5, 11.6, 60.1, loop)).toEqual([loop]);
});
