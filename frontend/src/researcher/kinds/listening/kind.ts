// Trials that are heard, as the desk shows them.
// SPDX-License-Identifier: Apache-2.0
import { lazy } from "react";
import type { Monitor, ParticipantRow, StudyDefinition } from "../../../api/generated";
import { percent } from "../../../staff/format";
import type { Kind } from "../kind";

const HEADPHONES: Readonly<Record<NonNullable<StudyDefinition["headphones"]>, string>> = {
  required: "required: only who passes the test takes part",
  asked: "tested, and recorded; nobody is turned away",
  any: "not tested",
};

const HEARING: Readonly<Record<Monitor["hearing"][number]["test"], string>> = {
  levels: "Test of levels not passed",
  bandwidth: "Test of bandwidth not passed",
  digits: "Test by digits in noise not passed",
};

const test = (label: string, { passed, failed }: { passed: number; failed: number }) => ({
  label,
  failed,
  of: passed + failed,
});

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
    rules: ({ headphones = "any", headphone_test, hearing = [] }) => [
      [
        "Headphones",
        headphones === "any" ? HEADPHONES.any : `${HEADPHONES[headphones]}${by(headphone_test)}`,
      ],
      ...hearing.map((one) => [`Hearing: ${one.test}`, hearingOf(one)] as const),
    ],
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
      tests: ({ headphones, hearing }) => [
        test("Headphone test not passed", headphones),
        ...hearing.map((one) => test(HEARING[one.test], one)),
      ],
    },
  },
  checksOf: ({ headphones, hearing }) => [
    ...(headphones ? [scored(headphones)] : []),
    ...hearing.map(({ test, told, passed }) => `${test}: ${told}, ${verdict(passed)}`),
  ],
  tables: [],
};

type Hearing = NonNullable<StudyDefinition["hearing"]>[number];

function soundsOf(one: Hearing): string {
  switch (one.test) {
    case "levels":
      return `the louder of two tones, ${one.difference_db} dB apart`;
    case "bandwidth":
      return `noise up to ${one.up_to_hz} Hz`;
    case "digits":
      return `three digits in noise (${one.language}), ${one.triplets ?? 23} times, threshold at most ${minus(one.srt_db_at_most)} dB`;
  }
}

function hearingOf(one: Hearing): string {
  const what = soundsOf(one);
  const needed = (one.needed ?? true) ? "has to be passed" : "recorded only";
  const tries = one.tries ?? (one.test === "digits" ? 1 : 2);
  return `${what}, ${needed}, in ${tries === 1 ? "one try" : `${tries} tries`}`;
}

/** How the test is done; without a word, as it was before there was a choice. */
function by(test: StudyDefinition["headphone_test"]): string {
  const { signal = "huggins", tries = 2, correct_at_least } = test ?? { correct_at_least: 5 };
  const published = signal === "huggins" ? 6 : 5;
  const name = signal === "huggins" ? "Huggins pitch" : "antiphase";
  return `, by ${name}: ${correct_at_least ?? published} of 6 rounds in ${tries === 1 ? "one try" : `${tries} tries`}`;
}

function scored({ correct, of, passed }: NonNullable<ParticipantRow["headphones"]>): string {
  const score = correct !== null && of !== null ? `${correct} of ${of}, ` : "";
  return `${score}${verdict(passed === true)}`;
}

const verdict = (passed: boolean): string => (passed ? "passed" : "failed");

const minus = (number: number): string => String(number).replace("-", "−");
