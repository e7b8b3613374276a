// How a lane is told from the others wherever it is drawn: by letter, by
// colour and by the dashes of its line, which go together.
// SPDX-License-Identifier: Apache-2.0
import type { Lane } from "../feed/lane";
import type { FeedStore } from "../feed/store";
import { placeOf } from "../letters";

export const DASHES: readonly (readonly number[])[] = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

/** One lane as the page names it; always in the order of the letters. */
export interface DemoLane {
  /** Its number, by which the feed knows it. */
  readonly lane: number;
  readonly letter: string;
  /** "off", "all", or what the presenter called it. */
  readonly name: string;
  /** Whether the page sounds with it. */
  readonly heard?: boolean;
}

/** How a picture that leaves the page calls things. */
export interface Naming {
  readonly lanes: readonly DemoLane[];
  /** Then what was changed is not told either: its words name lanes by what they do. */
  readonly letters_only: boolean;
}

/** Who reads a picture hears nothing; while letters are all that may be known, nothing else
 * stands in it. */
export const namingFor = (lanes: readonly DemoLane[], letters_only: boolean): Naming => ({
  lanes: lanes.map(({ lane, letter, name }) => ({
    lane,
    letter,
    name: letters_only ? letter : name,
  })),
  letters_only,
});

/** Those that the feed tells of, each with what is kept of it. */
export const keptLanes = (
  lanes: readonly DemoLane[],
  store: FeedStore,
): (readonly [DemoLane, Lane])[] =>
  lanes.flatMap((lane) => {
    const kept = store.lanes[lane.lane];
    return kept ? [[lane, kept] as const] : [];
  });

/** Which of the four colours and dashes a lane has. */
export const lookOf = ({ letter }: DemoLane): number => placeOf(letter);

export const dashOf = (lane: DemoLane): readonly number[] => DASHES[lookOf(lane)] ?? [];

export const titleOf = ({ letter, name }: DemoLane): string =>
  name && name !== letter ? `${letter}: ${name}` : letter;

export const heardTitleOf = (lane: DemoLane): string =>
  lane.heard ? `${titleOf(lane)} (you hear it)` : titleOf(lane);
