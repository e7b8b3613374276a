// What is told of a take once it is over: its lanes by the letters that the room knew, and
// what was changed in it. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { DemoEvent, DemoTakeRecord } from "../api/generated";
import { letterAt } from "./letters";

export interface NamedLane {
  /** From 0. */
  readonly lane: number;
  readonly letter: string;
}

/** In the order of their letters, as everywhere; A for the first where nobody knows. */
export const lanesOf = ({
  settings,
  letters,
}: Pick<DemoTakeRecord, "settings" | "letters">): NamedLane[] =>
  settings.lanes
    .map((_, lane) => ({ lane, letter: letters?.[lane] ?? letterAt(lane) }))
    .toSorted((one, other) => one.letter.localeCompare(other.letter));

const CHANGES: readonly DemoEvent["kind"][] = ["path", "lane", "synthetic"];

/** In a take that goes on: those that its figures lie across. */
export const changesIn = (
  { number }: Pick<DemoTakeRecord, "number">,
  events: readonly DemoEvent[],
): DemoEvent[] => events.filter(({ take, kind }) => take === number && CHANGES.includes(kind));
