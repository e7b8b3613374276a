// The participant's way through a study: each step as a value, and what leads
// from one to the next. Everything that must reach the server is retried.
// SPDX-License-Identifier: Apache-2.0
import { answered, api, Problem, patience } from "../api/client";
import type { OpenTrial, Participation, StudyPage, VoteCast } from "../api/generated";
import { reach } from "./connection";
import { forget, type Memory, recall, remember } from "./memory";
import { deliver, keep } from "./outbox";

export type Step =
  | { readonly at: "loading" }
  | { readonly at: "missing" }
  | { readonly at: "closed" | "preparing"; readonly study: StudyPage }
  | { readonly at: "consent" | "sound"; readonly study: StudyPage }
  | {
      readonly at: "trial";
      readonly study: StudyPage;
      readonly trial: OpenTrial;
      readonly participant_token: string;
    }
  | { readonly at: "sending"; readonly study: StudyPage; readonly trial: OpenTrial }
  | { readonly at: "thanks"; readonly study: StudyPage; readonly code: string }
  | { readonly at: "forgotten"; readonly study: StudyPage }
  | { readonly at: "failed"; readonly problem: Problem };

/** How often a study that is being prepared is asked for again. */
export const PREPARING_POLL_MS = 5_000;

/** One participation in one browser; `show` is told every step. */
export class Flow {
  readonly #slug: string;
  readonly #preview: boolean;
  readonly #show: (step: Step) => void;
  readonly #signal: AbortSignal;
  #study: StudyPage | null = null;
  #memory: Memory;

  constructor(slug: string, preview: boolean, show: (step: Step) => void, signal: AbortSignal) {
    this.#slug = slug;
    this.#preview = preview;
    this.#show = show;
    this.#signal = signal;
    this.#memory = recall(this.#name);
  }

  /** Loads the study and goes to where this browser left off. */
  readonly begin = () =>
    this.#guarded(async () => {
      this.#study = null;
      await this.#goOn();
    });

  readonly agree = () =>
    this.#guarded(async () => {
      await this.#join();
      await this.#goOn();
    });

  readonly soundHeard = () =>
    this.#guarded(async () => {
      this.#remember({ sound_checked: true });
      await this.#goOn();
    });

  /** Keeps the answer on this device, then sends it until the server has it. */
  readonly vote = (trial: OpenTrial, vote: VoteCast) =>
    this.#guarded(async () => {
      const participant_token = this.#memory.participant_token;
      if (!this.#study || !participant_token) return this.#goOn();
      await keep({ vote, participant_token });
      this.#show({ at: "sending", study: this.#study, trial });
      await this.#goOn();
    });

  readonly startOver = () =>
    this.#guarded(async () => {
      this.#memory = forget(this.#name);
      await this.#goOn();
    });

  get #name(): string {
    return this.#preview ? `${this.#slug}.preview` : this.#slug;
  }

  get #authorization() {
    return { Authorization: `Bearer ${this.#memory.participant_token}` };
  }

  #remember(change: Partial<Memory>): void {
    this.#memory = remember(this.#name, { ...this.#memory, ...change });
  }

  #reach<T>(attempt: () => Promise<T>): Promise<T> {
    return reach(attempt, { signal: this.#signal });
  }

  async #goOn(): Promise<void> {
    const study = this.#study ?? (await this.#load());
    const token = this.#memory.participant_token;
    if (!token) return this.#show(stepTo(study));
    await deliver(token, this.#signal);
    const participation = await this.#participation();
    if (participation.state === "complete") {
      return this.#show({ at: "thanks", study, code: participation.completion_code ?? "" });
    }
    if (!this.#memory.sound_checked) return this.#show({ at: "sound", study });
    const trial = await this.#openTrial();
    this.#show({ at: "trial", study, trial, participant_token: token });
  }

  async #load(): Promise<StudyPage> {
    const path = { slug: this.#slug };
    const study = await this.#reach(() =>
      answered(api.GET("/api/studies/{slug}", { params: { path }, signal: patience() })),
    );
    this.#study = study;
    return study;
  }

  async #join(): Promise<void> {
    const study = this.#study ?? (await this.#load());
    // Kept before it is sent: whoever reloads now is still the same participant.
    this.#remember({});
    const joined = await this.#reach(() =>
      answered(
        api.POST("/api/studies/{slug}/participants", {
          params: { path: { slug: this.#slug } },
          body: {
            consent_version: study.consent.version,
            join_key: this.#memory.join_key,
            ...(this.#preview ? { preview: true } : {}),
          },
          signal: patience(),
        }),
      ),
    );
    this.#remember({ participant_token: joined.participant_token });
  }

  #participation(): Promise<Participation> {
    return this.#reach(() =>
      answered(api.GET("/api/participation", { headers: this.#authorization, signal: patience() })),
    );
  }

  #openTrial(): Promise<OpenTrial> {
    return this.#reach(() =>
      answered(
        api.POST("/api/participation/trials", {
          headers: this.#authorization,
          signal: patience(),
        }),
      ),
    );
  }

  async #guarded(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (this.#signal.aborted) return;
      this.#show(this.#stepAfter(error));
    }
  }

  #stepAfter(error: unknown): Step {
    if (!(error instanceof Problem)) throw error;
    const study = this.#study;
    if (!study) {
      return error.status === 404 ? { at: "missing" } : { at: "failed", problem: error };
    }
    if (error.status === 401) return { at: "forgotten", study };
    if (error.kind === "closed" || error.kind === "preparing") return { at: error.kind, study };
    return { at: "failed", problem: error };
  }
}

const stepTo = (study: StudyPage): Step =>
  study.state === "open" ? { at: "consent", study } : { at: study.state, study };
