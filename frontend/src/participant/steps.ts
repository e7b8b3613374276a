// Where a participant can be, each as a value that says all its page needs.
// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "../api/client";
import type { OpenTrial, PanelEnd, Participation, QuestionForm, StudyPage } from "../api/generated";
import type { Farewell } from "./kinds/words";

export interface InStudy {
  readonly study: StudyPage;
}

/** With a participation that can be left, and gone on with elsewhere. */
export interface Joined extends InStudy {
  readonly participant_token: string;
  readonly withdraw_token: string;
}

export interface AtTrial extends Joined {
  readonly trial: OpenTrial;
}

export interface Withdrawing {
  /** Null where the study itself is gone; what was answered in it can still be deleted. */
  readonly study: StudyPage | null;
  readonly withdraw_token: string;
}

/** Before the sound is set on a device. */
export interface Sounding extends Joined {
  readonly headphones: Participation["headphones"];
  readonly headphone_signal: Participation["headphone_signal"];
}

/** Before a device is found fit to type on. */
export interface Checking extends Joined {
  /** Checks of the connection so far. */
  readonly tries: number;
}

export interface Asking extends Joined {
  readonly when: "before" | "after";
  readonly questions: readonly QuestionForm[];
}

/** A kind of step for each of the names. */
type At<Name extends string, With = unknown> = Name extends string
  ? { readonly at: Name } & With
  : never;

export type Step =
  | At<"loading" | "missing">
  /** `full` may be met after joining as well, when the last place went to somebody else. */
  | At<"closed" | "preparing" | "full", InStudy & Partial<Joined>>
  | At<"invitation-needed" | "invitation-used" | "invitation-unknown", InStudy>
  | At<"panel-needed" | "panel-unfit" | "took-part", InStudy>
  /** At the panel's outcome, with a participation or without one. */
  | At<"ended", InStudy & Partial<Joined> & { readonly end: PanelEnd }>
  /** `changed`: since the listener read the text and agreed. */
  | At<"consent", InStudy & { readonly changed?: true }>
  | At<"sound", Sounding>
  | At<"check-failed", Joined & { readonly said: Farewell; readonly end: PanelEnd | null }>
  | At<"ineligible", Joined & { readonly end: PanelEnd | null }>
  | At<"connection", Checking>
  | At<"hearing", Joined>
  | At<"questions", Asking>
  | At<"introduction" | "rest" | "trial", AtTrial>
  | At<"sending", Joined>
  | At<"thanks", Joined & { readonly code: string; readonly end: PanelEnd | null }>
  | At<"withdraw", Withdrawing>
  | At<"withdrawn" | "withdraw-unknown", { readonly study: StudyPage | null }>
  | At<"forgotten", InStudy>
  | At<"failed", { readonly problem: Problem; readonly study?: StudyPage }>;
