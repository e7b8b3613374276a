// Fewer points than were measured, and the same picture: of all that fall into one
// column of pixels, the first, the lowest, the highest and the last. Pure.
// SPDX-License-Identifier: Apache-2.0

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Points come with rising x. Columns lie at whole numbers of `column_px` from 0. */
export function thinned(points: Iterable<Point>, column_px: number): Point[] {
  const kept: Point[] = [];
  let column = Number.NaN;
  let first: Point | null = null;
  let low: Point | null = null;
  let high: Point | null = null;
  let last: Point | null = null;
  const close = () => {
    if (!first || !low || !high || !last) return;
    const [earlier, later] = low.x <= high.x ? [low, high] : [high, low];
    for (const point of [first, earlier, later, last]) {
      if (kept.at(-1) !== point) kept.push(point);
    }
  };
  for (const point of points) {
    const own = Math.floor(point.x / column_px);
    if (own !== column || !low || !high) {
      close();
      column = own;
      first = point;
      low = point;
      high = point;
    } else {
      if (point.y < low.y) low = point;
      if (point.y > high.y) high = point;
    }
    last = point;
  }
  close();
  return kept;
}
