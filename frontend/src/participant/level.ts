// The level that the listener chose: one gain for everything, kept on a reload.
// SPDX-License-Identifier: Apache-2.0
import { output } from "../player/output";

const NAME = "thinlab.level";
const DEFAULT_PERCENT = 60;
/** Slow enough that moving the slider makes no noise of its own. */
const SMOOTHING_SECONDS = 0.02;

/** Per cent of the slider, 5…100. */
export function readLevel(): number {
  try {
    const stored = Number(localStorage.getItem(NAME));
    return stored >= 5 && stored <= 100 ? stored : DEFAULT_PERCENT;
  } catch {
    return DEFAULT_PERCENT;
  }
}

/** Applies and keeps a level. Loudness is felt in ratios: the slider is a square law. */
export function writeLevel(percent: number): void {
  try {
    localStorage.setItem(NAME, String(percent));
  } catch {
    // The level then lasts until the page is closed.
  }
  applyLevel(percent);
}

export function applyLevel(percent: number): void {
  const { context, level } = output();
  level.gain.setTargetAtTime((percent / 100) ** 2, context.currentTime, SMOOTHING_SECONDS);
}
