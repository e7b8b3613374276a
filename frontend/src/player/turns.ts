// Where a trial that is played in turn is at a time, and what was heard of it,
// as values. No audio, no clock; times are seconds of the audio clock.
// SPDX-License-Identifier: Apache-2.0
import type { Member } from "./pair";

/** Silence between the first and the second. */
export const PAUSE_SECONDS = 0.5;

/** A place in the sequence of the members, with a pause before each but the first. */
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

/** Where the sequence of these members is so long after its start. */
export function turnAt(elapsed_s: number, duration_s: number, members: readonly Member[]): Turn {
  const each_s = duration_s + PAUSE_SECONDS;
  // The pause belongs to the one that comes.
  const place = Math.floor((elapsed_s + PAUSE_SECONDS) / each_s);
  const member = members[place];
  const last = members.at(-1) ?? "first";
  if (!member || elapsed_s >= lengthOfTurns(duration_s, members.length)) {
    return { member: last, phase: "over", position_s: duration_s, finished: members };
  }
  const into_s = elapsed_s - place * each_s;
  return {
    member,
    phase: into_s < 0 && place > 0 ? "pause" : "sounding",
    position_s: Math.max(0, into_s),
    finished: members.slice(0, place),
  };
}
