// Trials that are heard, as the desk shows them.
// SPDX-License-Identifier: Apache-2.0
import { lazy } from "react";
import type { ParticipantRow, StudyDefinition } from "../../../api/generated";
import { percent } from "../../../staff/format";
import type { Kind } from "../kind";

const HEADPHONES: Readonly<Record<NonNullable<StudyDefinition["headphones"]>, string>> = {
  required: "required: only who passes the test takes part",
  asked: "tested, and recorded; nobody is turned away",
  any: "not tested",
};

export const kind: Kind = {
  medium: "heard",
  stimulus: { title: "Clip", of: ({ clip }) => clip || null },
  pages: {
    stimuli: {
      path: "recordings",
      title: "Recordings",
      Content: lazy(async () => ({ default: (await import("./Recordings")).Recordings })),
    },
  },
  plan: {
    played: ({ playback, heard_share_at_least: share }) => {
      if (playback === "in_turn") return "Played first, then second, whole";
      const asked = share == null ? "five seconds" : `at least ${percent(share)}`;
      return `Played switched at will between both at one position, ${asked} of each to be heard`;
    },
    rules: ({ headphones }) => [["Headphones", HEADPHONES[headphones ?? "any"]]],
  },
  monitor: {
    stage: { title: "Sound check done", count: ({ sound_checked }) => sound_checked },
    refusal: {
      title: "not let in: headphones",
      tone: "bad",
      count: ({ headphones_failed }) => headphones_failed,
    },
    difference: "heard",
    tested: {
      what: "hearing",
      test: ({ headphones: { passed, failed } }) => ({
        label: "Headphone test not passed",
        failed,
        of: passed + failed,
      }),
    },
  },
  checksOf: ({ headphones }) => (headphones ? [scored(headphones)] : []),
  tables: [],
};

function scored({ correct, of, passed }: NonNullable<ParticipantRow["headphones"]>): string {
  const score = correct !== null && of !== null ? `${correct} of ${of}, ` : "";
  return `${score}${passed ? "passed" : "failed"}`;
}
