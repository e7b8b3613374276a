// What a listener did with a trial, as values: a state and the events that move
// it. No audio, no clock; instants are seconds of the audio clock.
// SPDX-License-Identifier: Apache-2.0
import { cover, lengthOf } from "./coverage";
import type { Region } from "./fade";
import { type Member, ofEach } from "./pair";

/** Where a study names no share: so long each member must have been heard, at most. */
const FIRST_RULE_SECONDS = 5;

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
  /** Which parts of each were heard, whatever was heard again. */
  readonly covered: Readonly<Record<Member, readonly Region[]>>;
  /** Until when `heard_s` counts. */
  readonly counted_s: number;
}

export type ListeningEvent = {
  readonly at_s: number;
  /** What sounded since the event before. */
  readonly sounded?: readonly Region[];
} & (
  | { readonly type: "play" | "stop" | "seek" | "tick" }
  | { readonly type: "choose"; readonly member: Member }
);

export const nothingHeard: Listening = {
  playing: false,
  member: "first",
  startedWith: null,
  plays: ofEach(0),
  switches: 0,
  seeks: 0,
  heard_s: ofEach(0),
  covered: ofEach([]),
  counted_s: 0,
};

/** The state after `event`; instants must not run backwards. */
export function listen(state: Listening, event: ListeningEvent): Listening {
  const now = count(state, event);
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

function count(state: Listening, { at_s, sounded = [] }: ListeningEvent): Listening {
  const passed_s = Math.max(0, at_s - state.counted_s);
  if (!state.playing) return { ...state, counted_s: at_s };
  const { member, heard_s, covered } = state;
  return {
    ...state,
    counted_s: at_s,
    heard_s: { ...heard_s, [member]: heard_s[member] + passed_s },
    covered: { ...covered, [member]: sounded.reduce(cover, covered[member]) },
  };
}

/** What has to be heard of each member before a vote: a share of it in different parts, or, where
 * that is null, five seconds of any. */
export type MustHear = number | null;

/** The same of a clip of this length, in seconds. */
export const needed_s = (must: MustHear, duration_s: number): number =>
  must === null ? Math.min(FIRST_RULE_SECONDS, duration_s) : must * duration_s;

/** How much of that was heard, in seconds. */
export const counting_s = (must: MustHear, listening: Listening, member: Member): number =>
  must === null ? listening.heard_s[member] : lengthOf(listening.covered[member]);

/** Whether a member was heard enough to be judged. */
export const isHeard = (
  must: MustHear,
  listening: Listening,
  duration_s: number,
  member: Member,
): boolean =>
  // A whole clip ends a fraction early: the switch's fades take time.
  counting_s(must, listening, member) >= needed_s(must, duration_s) - 0.05;

/** True once every member was heard enough. */
export const mayVote = (
  must: MustHear,
  listening: Listening,
  duration_s: number,
  members: readonly Member[],
): boolean => members.every((member) => isHeard(must, listening, duration_s, member));
