// What a panel's participants can come to, in words for the researcher.
// SPDX-License-Identifier: Apache-2.0
import type { Outcome } from "../../api/generated";

interface Words {
  readonly title: string;
  readonly when: string;
}

/** In the order in which a study meets them. */
export const OUTCOMES: Readonly<Record<Outcome, Words>> = {
  complete: { title: "Complete", when: "Every answer has arrived." },
  screened_out: {
    title: "Screened out",
    when: "A check before the trials was failed for good: headphones, connection.",
  },
  declined: { title: "Declined", when: "They read the consent text and said no." },
  timed_out: { title: "Timed out", when: "Their deadline passed before they had done it all." },
  full: { title: "Full", when: "They came when all places were taken, or the study was closed." },
  withdrawn: { title: "Withdrawn", when: "They had all their answers deleted." },
};
