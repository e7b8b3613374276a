// What the participant's page asks of a kind of trial.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from "react";
import type { OpenTrial, VoteCast } from "../../api/generated";
import type { Fillings, Key } from "../../language/translation";
import type { Flow } from "../flow";

export type Medium = OpenTrial["medium"];
export type TrialOf<M extends Medium> = Extract<OpenTrial, { medium: M }>;

export interface TrialPageProps<M extends Medium> {
  readonly trial: TrialOf<M>;
  readonly participant_token: string;
  readonly files: Flow["files"];
  readonly onVote: (vote: VoteCast) => void;
  /** The server no longer gives what this trial needs. */
  readonly onGone: () => void;
  /** Asks the server how far this trial is. */
  readonly onAskAgain: () => void;
}

/** Texts that have no places to fill. */
type Plain = { [K in Key]: Fillings<K> extends [] ? K : never }[Key];

export interface Kind<M extends Medium> {
  readonly medium: M;
  readonly Page: ComponentType<TrialPageProps<M>>;
  /** What to do with ears, eyes or hands at a rest before such a trial. */
  readonly restAdvice: Plain;
}

/** What a vote says beside the answer. */
export type Account = Pick<VoteCast, "account" | "decision_ms" | "events">;
