import { expect, test } from "vitest";
import { type Point, thinned } from "./thinning";

const wave = (count: number, width: number): Point[] =>
  Array.from({ length: count }, (_, index) => ({
    x: (index / count) * width,
    y: Math.sin(index * 1.7) * (index % 97 === 0 ? 50 : 1),
  }));

test("nothing is lost of what is sparse", () => {
  const points = [1, 5, 9, 14].map((x) => ({ x, y: x * 2 }));
  expect(thinned(points, 1)).toEqual(points);
});

test("of each column the first, the extremes and the last stay, in order", () => {
  const points = wave(20_000, 400);
  const kept = thinned(points, 1);
  expect(kept.length).toBeLessThanOrEqual(400 * 4);
  for (let column = 0; column < 400; column++) {
    const within = ({ x }: Point) => Math.floor(x) === column;
    const [all, left] = [points.filter(within), kept.filter(within)];
    const heights = (row: Point[]) => row.map(({ y }) => y);
    expect(Math.max(...heights(left))).toBe(Math.max(...heights(all)));
    expect(Math.min(...heights(left))).toBe(Math.min(...heights(all)));
    expect([left[0], left.at(-1)]).toEqual([all[0], all.at(-1)]);
  }
  for (const [index, point] of kept.entries()) {
    expect(point.x).toBeGreaterThanOrEqual(kept[index - 1]?.x ?? Number.NEGATIVE_INFINITY);
  }
});

test("a lonely spike survives", () => {
  const points = Array.from({ length: 1000 }, (_, x) => ({ x: x / 100, y: x === 555 ? 900 : 1 }));
  expect(thinned(points, 2).some(({ y }) => y === 900)).toBe(true);
});
