// Where a participant can be, each as a value that says all its page needs.
// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "../api/client";
import type { OpenTrial, QuestionForm, StudyPage } from "../api/generated";

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

export interface Withdrawing extends InStudy {
  readonly withdraw_token: string;
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
  | At<"closed" | "preparing" | "full", InStudy>
  | At<"invitation-needed" | "invitation-unknown", InStudy>
  /** `changed`: since the listener read the text and agreed. */
  | At<"consent", InStudy & { readonly changed?: true }>
  | At<"sound" | "headphones-failed", Joined>
  | At<"questions", Asking>
  | At<"introduction" | "rest" | "trial", AtTrial>
  | At<"sending", Joined>
  | At<"thanks", Joined & { readonly code: string }>
  | At<"withdraw", Withdrawing>
  | At<"withdrawn" | "withdraw-unknown" | "forgotten", InStudy>
  | At<"failed", { readonly problem: Problem; readonly study?: StudyPage }>;
