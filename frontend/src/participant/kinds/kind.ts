// What the participant's page asks of a kind of trial.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from "react";
import type { OpenTrial, Participation, VoteCast } from "../../api/generated";
import type { Members } from "../../player/pair";
import type { Memory } from "../memory";
import type { OnProgress } from "../recordings";
import type { Joined, Step } from "../steps";
import type { Farewell, Medium } from "./words";

export type TrialOf<M extends Medium> = Extract<OpenTrial, { medium: M }>;

/** What a trial has at its places. */
export type Files = Members<ArrayBuffer>;

export interface TrialPageProps<M extends Medium> {
  readonly trial: TrialOf<M>;
  readonly participant_token: string;
  /** As soon as they are here; of a kind that fetches files.
   * @throws Problem when the server no longer gives them. */
  readonly files: (trial: TrialOf<M>, onProgress: OnProgress) => Promise<Files>;
  readonly onVote: (vote: VoteCast) => void;
  /** The server no longer gives what this trial needs. */
  readonly onGone: () => void;
  /** Asks the server how far this trial is. */
  readonly onAskAgain: () => void;
}

/** What a device has to be found fit for, before the trials. */
export interface Check {
  /** When the server waits for it. */
  readonly stage: Participation["state"];
  /** When no try is left. */
  readonly failed: { readonly stage: Participation["state"]; readonly said: Farewell };
  /** Whether this device was checked: another one's check is none of this one. */
  readonly isDone: (memory: Memory) => boolean;
  readonly step: (joined: Joined, now: Participation) => Step;
}

export interface Kind<M extends Medium> {
  readonly medium: M;
  readonly Page: ComponentType<TrialPageProps<M>>;
  /** None of a kind that any device is fit for. */
  readonly check?: Check;
  /** Fetches what a trial needs, before its turn; a kind without it needs nothing.
   * @throws Problem when the server no longer gives it. */
  readonly fetch?: (
    trial: TrialOf<M>,
    participant_token: string,
    onProgress: OnProgress,
    signal: AbortSignal,
  ) => Promise<Files>;
}

/** What a vote says beside the answer. */
export type Account = Pick<VoteCast, "account" | "decision_ms" | "events">;
