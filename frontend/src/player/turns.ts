// Where a trial that is played in turn is at a time, and what was heard of it,
// as values. No audio, no clock; times are seconds of the audio clock.
// SPDX-License-Identifier: Apache-2.0
import type { Member } from "./pair";

/** Silence between the first and the second. */
export const PAUSE_SECONDS = 0.5;

/** A place in the sequence first, pause, second. */
export interface Turn {
  /** Of the pause: the one that comes. */
  readonly member: Member;
  readonly phase: "sounding" | "pause" | "over";
  /** In the member's recording. */
  readonly position_s: number;
  /** Members that have been heard to their end. */
  readonly finished: readonly Member[];
}

export function lengthOfTurns(duration_s: number, members: number): number {
  return members * duration_s + (members - 1) * PAUSE_SECONDS;
}

/** Where the sequence is so long after its start. */
export function turnAt(elapsed_s: number, duration_s: number, members: 1 | 2): Turn {
  const last: Member = members === 1 ? "first" : "second";
  if (elapsed_s >= lengthOfTurns(duration_s, members)) {
    const finished: Member[] = members === 1 ? ["first"] : ["first", "second"];
    return { member: last, phase: "over", position_s: duration_s, finished };
  }
  if (elapsed_s < duration_s) {
    const position_s = Math.max(0, elapsed_s);
    return { member: "first", phase: "sounding", position_s, finished: [] };
  }
  const into_s = elapsed_s - duration_s - PAUSE_SECONDS;
  return {
    member: "second",
    phase: into_s < 0 ? "pause" : "sounding",
    position_s: Math.max(0, into_s),
    finished: ["first"],
  };
}
