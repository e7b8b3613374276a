import { expect, test } from "vitest";
import { Ring } from "./ring";

const all = <Item>(ring: Ring<Item>) =>
  Array.from({ length: ring.length }, (_, index) => ring.at(index));

test("the newest stay, in order", () => {
  const ring = new Ring<number>(4);
  for (let value = 1; value <= 11; value++) ring.push(value);
  expect(all(ring)).toEqual([8, 9, 10, 11]);
  expect([ring.first, ring.last, ring.at(4), ring.at(-1)]).toEqual([8, 11, undefined, undefined]);
});

test("old ones can be let go, and there is room again", () => {
  const ring = new Ring<number>(4);
  for (let value = 1; value <= 6; value++) ring.push(value);
  ring.dropWhile((value) => value < 5);
  expect(all(ring)).toEqual([5, 6]);
  for (let value = 7; value <= 9; value++) ring.push(value);
  expect(all(ring)).toEqual([6, 7, 8, 9]);
});

test("the first at or after a value is found wherever the row begins", () => {
  const ring = new Ring<number>(5);
  for (let value = 0; value < 8; value++) ring.push(value * 10);
  expect(all(ring)).toEqual([30, 40, 50, 60, 70]);
  const from = (value: number) => ring.lowerBound((item) => item, value);
  expect([from(0), from(30), from(31), from(70), from(71)]).toEqual([0, 0, 1, 4, 5]);
});
