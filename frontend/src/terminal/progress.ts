// How far the typist is, read off the screen: nothing that was typed is kept.
// SPDX-License-Identifier: Apache-2.0
import type { CopyForm, CorrectForm, HoldForm } from "../api/generated";

/** How much of a line is there. */
export interface LineProgress {
  readonly typed: number;
  /** Something else stands where the line should go on. */
  readonly wrong: boolean;
  readonly done: boolean;
}

function commonPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Of each line that is to be copied. Lines are looked for from the top, in order. */
export function copied(
  { lines }: Pick<CopyForm, "lines">,
  rows: readonly string[],
): LineProgress[] {
  let from = 0;
  return lines.map((line) => {
    const whole = rows.indexOf(line, from);
    if (line !== "" && whole >= 0) {
      from = whole + 1;
      return { typed: line.length, wrong: false, done: true };
    }
    const best = rows.slice(from).reduce(
      (found, row) => {
        const typed = commonPrefix(line, row);
        return typed > found.typed ? { typed, wrong: row.length > typed } : found;
      },
      { typed: 0, wrong: false },
    );
    return { ...best, done: line === "" };
  });
}

/** The share of all characters that are there, 0…1. */
export function shareCopied(lines: readonly string[], progress: readonly LineProgress[]): number {
  const all = lines.reduce((sum, line) => sum + line.length, 0);
  return all === 0 ? 1 : progress.reduce((sum, { typed }) => sum + typed, 0) / all;
}

type Spans = CorrectForm["lines"][number];

/** Where the right stretches of a line stand in a row, in order; -1 for one that does not. */
function anchors(spans: Spans, row: string): number[] {
  let from = 0;
  return spans.map(({ text, right }) => {
    if (right !== null) return -1;
    const place = row.indexOf(text, from);
    if (place >= 0) from = place + text.length;
    return place;
  });
}

/** Of each line's mistakes, whether they are corrected. */
export function corrected(
  { lines }: Pick<CorrectForm, "lines">,
  rows: readonly string[],
): boolean[][] {
  return lines.map((spans) => {
    const plain = spans.filter(({ right }) => right === null);
    const length = plain.reduce((sum, { text }) => sum + text.length, 0);
    const score = (row: string) =>
      anchors(spans, row).reduce(
        (sum, place, index) => sum + (place >= 0 ? (spans[index]?.text.length ?? 0) : 0),
        0,
      );
    const row = rows.reduce((best, one) => (score(one) > score(best) ? one : best), "");
    const places = anchors(spans, row);
    const mistakes = spans.flatMap((span, index) => (span.right === null ? [] : [index]));
    if (length > 0 && score(row) === 0) return mistakes.map(() => false);
    return mistakes.map((index) => {
      const before = spans[index - 1];
      const from = before ? (places[index - 1] ?? -1) + before.text.length : 0;
      const to = index + 1 < spans.length ? (places[index + 1] ?? -1) : row.length;
      const anchored = (!before || (places[index - 1] ?? -1) >= 0) && to >= from;
      return anchored && row.slice(from, to) === spans[index]?.right;
    });
  });
}

/** How many lines the held key has filled. Where they stand is not asked: Enter pushes the
 * mark below the next line, and an editor marks where a line goes on beside the screen. */
export function held({ key }: Pick<HoldForm, "key">, rows: readonly string[]): number {
  return rows.filter((row) => {
    const line = row.trimEnd().replace(/^<|>$/g, "");
    return line !== "" && [...line].every((sign) => sign === key);
  }).length;
}
