// What the pages beside a trial say of its kind, apart from the trials' own pages, so that who
// only looks in loads no player. Each folder beside this file has its words.
// SPDX-License-Identifier: Apache-2.0
import type { OpenTrial, StudyPage } from "../../api/generated";
import type { Fillings, Key } from "../../language/translation";

export type Medium = OpenTrial["medium"];

/** Texts that have no places to fill. */
export type Plain = { [K in Key]: Fillings<K> extends [] ? K : never }[Key];

/** What is said to who can go no further. */
export interface Farewell {
  readonly title: Plain;
  readonly text: Plain;
  readonly thanks: Plain;
}

export interface Words {
  readonly medium: Medium;
  /** What there is to do, on the front page. */
  readonly invitation: Plain;
  /** While a study cannot be joined yet: where more is missing than recordings. */
  readonly preparing?: Plain;
  /** What is stored of a participant. */
  readonly stored: (study: StudyPage) => readonly Plain[];
  /** What to do with ears, eyes or hands at a rest before such a trial. */
  readonly restAdvice: Plain;
}

const files = import.meta.glob<Words>("./*/words.ts", { import: "words", eager: true });
const all = new Map(Object.values(files).map((words) => [words.medium, words]));

/** @throws Error for a medium that no folder is for. */
export function wordsOf(medium: Medium): Words {
  const words = all.get(medium);
  if (!words) throw new Error(`There are no words for trials that are ${medium}.`);
  return words;
}
