// Which parts of a recording sounded, whatever of it sounded again: passages that
// are sorted and do not touch, in seconds of the recording. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { Region } from "./fade";

/** Passages so close to each other are one: positions are read with the clock's own grain. */
const TOUCHING_SECONDS = 0.005;

/** The same passages and one more. */
export function cover(passages: readonly Region[], more: Region): readonly Region[] {
  if (more.to_s <= more.from_s) return passages;
  let { from_s, to_s } = more;
  const apart: Region[] = [];
  for (const passage of passages) {
    const touches =
      passage.from_s <= to_s + TOUCHING_SECONDS && passage.to_s >= from_s - TOUCHING_SECONDS;
    if (touches) {
      from_s = Math.min(from_s, passage.from_s);
      to_s = Math.max(to_s, passage.to_s);
    } else {
      apart.push(passage);
    }
  }
  return [...apart, { from_s, to_s }].sort((one, other) => one.from_s - other.from_s);
}

/** How many seconds are in any of them. */
export const lengthOf = (passages: readonly Region[]): number =>
  passages.reduce((sum, { from_s, to_s }) => sum + to_s - from_s, 0);

/** What sounded between two positions that are `passed_s` apart in time, where `loop` repeats. */
export function sounded(
  from_s: number,
  to_s: number,
  passed_s: number,
  loop: Region | null,
): readonly Region[] {
  if (!loop) return [{ from_s, to_s }];
  if (passed_s >= loop.to_s - loop.from_s) return [loop];
  if (to_s >= from_s) return [{ from_s, to_s }];
  return [
    { from_s, to_s: loop.to_s },
    { from_s: loop.from_s, to_s },
  ];
}
