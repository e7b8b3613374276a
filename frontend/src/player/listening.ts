// What a listener did with a trial, as values: a state and the events that move
// it. No audio, no clock; instants are seconds of the audio clock.
// SPDX-License-Identifier: Apache-2.0
import type { Member } from "./pair";

/** How long each member must have been heard before a vote, at most. */
const MUST_HEAR_SECONDS = 5;

export interface Listening {
  readonly playing: boolean;
  readonly member: Member;
  /** The member of the first play, or null before it. */
  readonly startedWith: Member | null;
  /** How often playing was started with this member. */
  readonly plays: Readonly<Record<Member, number>>;
  /** Changes of the audible member while playing. */
  readonly switches: number;
  readonly seeks: number;
  readonly heard_s: Readonly<Record<Member, number>>;
  /** Until when `heard_s` counts. */
  readonly counted_s: number;
}

export type ListeningEvent = { readonly at_s: number } & (
  | { readonly type: "play" | "stop" | "seek" | "tick" }
  | { readonly type: "choose"; readonly member: Member }
);

export const nothingHeard: Listening = {
  playing: false,
  member: "first",
  startedWith: null,
  plays: { first: 0, second: 0 },
  switches: 0,
  seeks: 0,
  heard_s: { first: 0, second: 0 },
  counted_s: 0,
};

/** The state after `event`; instants must not run backwards. */
export function listen(state: Listening, event: ListeningEvent): Listening {
  const now = count(state, event.at_s);
  const { member } = now;
  switch (event.type) {
    case "tick":
      return now;
    case "play":
      if (now.playing) return now;
      return {
        ...now,
        playing: true,
        startedWith: now.startedWith ?? member,
        plays: { ...now.plays, [member]: now.plays[member] + 1 },
      };
    case "stop":
      return { ...now, playing: false };
    case "seek":
      return { ...now, seeks: now.seeks + 1 };
    case "choose":
      if (event.member === member) return now;
      return {
        ...now,
        member: event.member,
        switches: now.switches + (now.playing ? 1 : 0),
      };
  }
}

function count(state: Listening, at_s: number): Listening {
  const passed_s = Math.max(0, at_s - state.counted_s);
  if (!state.playing) return { ...state, counted_s: at_s };
  const { member, heard_s } = state;
  return {
    ...state,
    counted_s: at_s,
    heard_s: { ...heard_s, [member]: heard_s[member] + passed_s },
  };
}

/** What each member of a clip of this length must be heard for, in seconds. */
export const mustHear = (duration_s: number): number => Math.min(MUST_HEAR_SECONDS, duration_s);

/** True once every member was heard for long enough to be judged. */
export function mayVote(
  { heard_s }: Listening,
  duration_s: number,
  members: readonly Member[],
): boolean {
  // A whole short clip ends a fraction early: the switch's fades take time.
  const needed_s = mustHear(duration_s) - 0.05;
  return members.every((member) => heard_s[member] >= needed_s);
}
