// How much of a task's time is left, as the server keeps it and the page shows it.
// SPDX-License-Identifier: Apache-2.0

export interface TaskTime {
  /** What the server said last. */
  readonly left_ms: number;
  /** `performance.now()` when it did. */
  readonly told_ms: number;
  /** It stands still while the machine catches up. */
  readonly passes: boolean;
}

export function timeLeft_ms({ left_ms, told_ms, passes }: TaskTime, now_ms: number): number {
  // A page may ask with an instant of before it was told.
  return passes ? Math.max(0, left_ms - Math.max(0, now_ms - told_ms)) : left_ms;
}
