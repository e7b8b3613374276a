// The trials that the server has opened, and what they need, fetched before
// their turn: so that a page whose network stops can go on.
// SPDX-License-Identifier: Apache-2.0
import type { OpenTrial } from "../api/generated";
import type { Files, Kind } from "./kinds/kind";
import { kindOf } from "./kinds/registry";
import type { OnProgress } from "./recordings";

type Fetch = NonNullable<Kind<OpenTrial["medium"]>["fetch"]>;

interface Fetched {
  readonly files: Promise<Files>;
  share: number;
  here: boolean;
  readonly watchers: Set<OnProgress>;
}

/** Fetches trial after trial, in order, never two trials at once: what is needed
 * now is not slowed by what is needed later. */
export class Ahead {
  readonly #participant_token: string;
  readonly #signal: AbortSignal;
  readonly #fetchOf: (trial: OpenTrial) => Fetch | undefined;
  readonly #fetched = new Map<string, Fetched>();
  readonly #voted = new Set<string>();
  #trials: readonly OpenTrial[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  /** `fetchOf`: how a trial's files are fetched; none where it needs none. */
  constructor(
    participant_token: string,
    signal: AbortSignal,
    fetchOf: (trial: OpenTrial) => Fetch | undefined = (trial) => kindOf(trial).fetch,
  ) {
    this.#participant_token = participant_token;
    this.#signal = signal;
    this.#fetchOf = fetchOf;
  }

  /** Takes what the server says is open, but for what was answered here meanwhile. */
  learn(trials: readonly OpenTrial[]): void {
    this.#trials = trials.filter(({ trial_token }) => !this.#voted.has(trial_token));
    const known = new Set(trials.map(({ trial_token }) => trial_token));
    for (const token of this.#fetched.keys()) if (!known.has(token)) this.#fetched.delete(token);
    for (const trial of this.#trials) this.#want(trial);
  }

  /** The trial is answered: its files are not needed any more. */
  done({ trial_token }: OpenTrial): void {
    this.#voted.add(trial_token);
    this.#fetched.delete(trial_token);
    this.#trials = this.#trials.filter((trial) => trial.trial_token !== trial_token);
  }

  /** The server would not take the answer: the trial is open once more. */
  reopen(trial_token: string): void {
    this.#voted.delete(trial_token);
  }

  /** The trial to show now, as far as is known here. */
  get next(): OpenTrial | null {
    return this.#trials[0] ?? null;
  }

  get last(): OpenTrial | null {
    return this.#trials.at(-1) ?? null;
  }

  has({ trial_token }: OpenTrial): boolean {
    return this.#trials.some((trial) => trial.trial_token === trial_token);
  }

  /** Whether the trial can be shown without any network. */
  isHere({ trial_token }: OpenTrial): boolean {
    return this.#fetched.get(trial_token)?.here ?? false;
  }

  /** Whether one after the given trial can. */
  isMoreHere(trial: OpenTrial): boolean {
    return this.#trials.some((other) => other !== trial && this.isHere(other));
  }

  /** The trial's files, as soon as they are here.
   * @throws Problem when the server no longer gives them. */
  async files(trial: OpenTrial, onProgress: OnProgress): Promise<Files> {
    const fetched = this.#want(trial);
    if (!fetched) throw new Error("A trial without files was asked for them.");
    onProgress(fetched.share);
    fetched.watchers.add(onProgress);
    try {
      return await fetched.files;
    } finally {
      fetched.watchers.delete(onProgress);
    }
  }

  #want(trial: OpenTrial): Fetched | undefined {
    const known = this.#fetched.get(trial.trial_token);
    const fetch = this.#fetchOf(trial);
    if (known || !fetch) return known;
    const progress = (share: number) => {
      fetched.share = share;
      for (const watcher of fetched.watchers) watcher(share);
    };
    const files = this.#turn.then(() =>
      fetch(trial, this.#participant_token, progress, this.#signal),
    );
    const fetched: Fetched = { files, share: 0, here: false, watchers: new Set() };
    this.#fetched.set(trial.trial_token, fetched);
    // A trial that is refused must not stop those behind it; who shows it, says so.
    this.#turn = files.then(
      () => {
        fetched.here = true;
      },
      () => {},
    );
    return fetched;
  }
}
