// What a record of a typed study gives away: any difference between two sessions on one
// task, or between kinds of trial, but for the time that keys take.
// SPDX-License-Identifier: Apache-2.0
import type { TypedTrial } from "../src/api/generated.ts";
import { differences, lookLeaks, messageLeaks, receiptLeaks } from "./leaks.ts";
import type { TypedSession } from "./links.ts";
import type { SessionRecord } from "./record.ts";

/** Titles, clipboards, device strings: nothing that an editor has a use for here. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin and end with them
const STRING = /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)/g;

export function typingLeaks(record: SessionRecord, sessions: readonly TypedSession[]): string[] {
  return [
    ...receiptLeaks(record.receipts),
    ...kinds(record).flatMap((trials) => [...messageLeaks(trials), ...lookLeaks(record, trials)]),
    ...sessionLeaks(sessions),
  ];
}

/** Trials that a participant takes for one kind. */
export function kinds({ typed }: SessionRecord): TypedTrial[][] {
  const found = new Map<string, TypedTrial[]>();
  for (const trial of [...typed.values()].sort((one, other) => one.position - other.position)) {
    const looks = JSON.stringify([trial.training, trial.task, trial.scale]);
    found.set(looks, [...(found.get(looks) ?? []), trial]);
  }
  return [...found.values()];
}

/** All sessions of one task beside the first: members, controls and practice alike. */
function sessionLeaks(sessions: readonly TypedSession[]): string[] {
  return sessions.flatMap((one) => {
    const name = `session ${one.position} ${one.member}`;
    return [
      ...(one.written.match(STRING) ?? []).map((string) => `${name}: sent ${written(string)}`),
      ...(["forms", "openings", "stages", "beforeKeys"] as const).flatMap((what) =>
        differences(`${name}: ${what}`, sessions[0]?.[what].map(written), one[what].map(written)),
      ),
    ];
  });
}

const written = (text: string) => JSON.stringify(text);
