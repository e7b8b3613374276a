// A waveform's outline as a path, and where its events lie. Pure.
// SPDX-License-Identifier: Apache-2.0

/** Narrower than this share of the width nobody would see it. */
const LEAST_SHARE = 0.0015;

/** Along the highest samples and back along the lowest, one unit a bucket. */
export function outlinePath(lowest: readonly number[], highest: readonly number[]): string {
  if (lowest.length === 0) return "";
  // Upwards is smaller in SVG.
  const there = highest.map((value, x) => `${x} ${-value}`);
  const back = lowest.map((value, x) => `${x} ${-value}`).reverse();
  return `M${[...there, ...back].join("L")}Z`;
}

interface Span {
  readonly left: string;
  readonly width: string;
}

/** An event's place over the waveform, wide enough to be seen. What takes no
 * time in the recording is marked where it happened. */
export function wideEnough(
  { kind, at_ms, length_ms }: { kind: string; at_ms: number; length_ms: number },
  duration_ms: number,
): Span {
  const takesTime = kind === "concealed" || kind === "silent";
  const share = Math.max(takesTime ? length_ms / duration_ms : 0, LEAST_SHARE);
  return { left: `${(at_ms / duration_ms) * 100}%`, width: `${share * 100}%` };
}
