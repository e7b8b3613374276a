// What the page asks of a test of hearing or equipment.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from "react";
import type { HearingAnswers, HearingTry } from "../../api/generated";
import type { Draft } from "../draft";

/** A try that was begun on this page. */
export interface RoundsProps {
  readonly trying: HearingTry;
  readonly participant_token: string;
  readonly draft: Draft<"hearing">;
  /** What follows from leaving. */
  readonly without: string;
  /** All rounds of it, to be judged. */
  readonly onAnswers: (answers: HearingAnswers) => Promise<void>;
  /** The server has judged it, or has gone on elsewhere: what comes next? */
  readonly onOver: () => Promise<void>;
  /** In the middle, which is no try. */
  readonly onLeave: () => void;
}

/** One test. Its title and how it goes are among the texts, `hearing.<test>.title` and `.how`. */
export interface Check {
  readonly test: HearingTry["test"];
  readonly Rounds: ComponentType<RoundsProps>;
}
