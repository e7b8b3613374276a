// The participant's way through a study: what leads from one step to the next.
// Everything that must reach the server is kept first, and sent until it has.
// SPDX-License-Identifier: Apache-2.0
import { Problem } from "../api/client";
import type {
  HearingAnswers,
  OpenTrial,
  Participation,
  SoundCheck,
  StudyPage,
  VoteCast,
} from "../api/generated";
import { negotiate } from "../language/negotiate";
import { type Address, tidyAddress } from "./address";
import { Ahead } from "./ahead";
import { Draft, forgetDrafts, type Interlude } from "./draft";
import { kindOf } from "./kinds/registry";
import { forget, type Memory, recall, remember } from "./memory";
import { type Content, deliver, discardAll, keep } from "./outbox";
import { sentBy } from "./panel";
import * as server from "./server";
import { stepAfter } from "./stepAfter";
import type { AtTrial, Joined, Step, Withdrawing } from "./steps";

/** How often a study that is being prepared is asked for again. */
export const PREPARING_POLL_MS = 5_000;

/** Problems that asking for the present stage resolves. */
const OVERTAKEN: readonly string[] = ["complete", "not-yet", "not-asked"];

/** Problems of joining that only the study's door can tell the end of. */
const AT_THE_DOOR: readonly string[] = ["full", "closed", "took-part"];

/** Answers to the questions of a stage, by the question's id; null for one left out. */
export type GivenAnswers = Readonly<Record<string, string | number | string[] | null>>;

/** One participation in one browser; `show` is told every step. */
export class Flow {
  readonly #address: Address;
  readonly #wishes: readonly string[];
  readonly #show: (step: Step) => void;
  readonly #signal: AbortSignal;
  #memory: Memory;
  #study: StudyPage | null = null;
  #ahead: Ahead | null = null;
  #shown: Step = { at: "loading" };
  #work: Promise<void> = Promise.resolve();
  #syncs = 0;

  /** `wishes`: languages, the dearest first. */
  constructor(
    address: Address,
    wishes: readonly string[],
    show: (step: Step) => void,
    signal: AbortSignal,
  ) {
    this.#address = address;
    this.#wishes = wishes;
    this.#signal = signal;
    this.#memory = recall(this.#name);
    this.#show = (step) => {
      if (signal.aborted) return;
      this.#shown = step;
      show(step);
    };
  }

  /** Loads the study and goes to where this browser left off. */
  readonly begin = () =>
    this.#do(async () => {
      this.#study = null;
      const { withdraw_token } = this.#address;
      if (withdraw_token) {
        return this.#show({ at: "withdraw", study: await this.#studyIfAny(), withdraw_token });
      }
      this.#takeFromAddress();
      await this.#proceed();
    });

  /** Before joining only: afterwards a participation has its language. */
  readonly speak = (language: string) =>
    this.#do(async () => {
      this.#remember({ language });
      this.#study = null;
      await this.#proceed();
    });

  readonly agree = () =>
    this.#do(async () => {
      await this.#join();
      await this.#proceed();
    });

  /** Of whom a panel has sent: it is told. */
  readonly decline = () =>
    this.#do(async () => {
      const study = this.#study ?? (await this.#load());
      await this.#arrive(study, true);
    });

  readonly soundChecked = (body: SoundCheck) =>
    this.#do(async () => {
      await this.#keep({ to: "sound-check", body });
      this.#remember({ sound_checked: true });
      await this.#proceed();
    });

  /** Has a try of the headphone test judged. Whether it is passed, or was the last one. */
  readonly headphonesTried = async (body: SoundCheck): Promise<boolean> => {
    let settled = false;
    await this.#do(async () => {
      await this.#keep({ to: "sound-check", body });
      await this.#deliver();
      const now = await server.progress(this.#memory.participant_token ?? "", this.#signal);
      settled = now.headphones_passed === true || now.headphones_tries_left === 0;
    });
    return settled;
  };

  /** Has a try of a test of hearing judged, unless it is, and goes to what follows; whether that is
   * another. */
  readonly hearingTried = async (body: HearingAnswers | null): Promise<boolean> => {
    await this.#do(async () => {
      if (body) await this.#keep({ to: "hearing-answers", body });
      await this.#proceed();
    });
    return this.#shown.at === "hearing";
  };

  /** The server knows how the check went; here is noted that there is a keyboard. */
  readonly connectionChecked = (good: boolean) =>
    this.#do(async () => {
      if (good) this.#remember({ connection_checked: true });
      await this.#proceed();
    });

  /** Asks the server how far the open trial is, and shows it. */
  readonly askAgain = () => this.#do(() => this.#proceed());

  readonly answer = (answers: GivenAnswers) =>
    this.#do(async () => {
      await this.#keep({ to: "answers", body: { answers: answers as never } });
      await this.#proceed();
    });

  /** Leaves an introduction or a rest. */
  readonly pass = (from: Interlude, { trial, study }: AtTrial) => {
    const draft = new Draft("trial", trial.trial_token);
    draft.write({ passed: [...(draft.read().passed ?? []), from] });
    this.#present(study, trial);
  };

  /** Keeps the answer on this device and goes on: at once where the next trial
   * is here already, else when the server has said what comes. */
  readonly vote = async ({ trial, study }: AtTrial, body: VoteCast) => {
    // A second press of Enter while the first is being kept is no second answer.
    if (!this.#ahead?.has(trial)) return;
    this.#ahead.done(trial);
    await this.#keep({ to: "votes", body });
    const { next } = this.#ahead;
    if (next && this.#ahead.isHere(next)) {
      this.#present(study, next);
      return this.#synchronise(trial.trials_total);
    }
    this.#show({ at: "sending", ...this.#joined(study) });
    await this.#do(() => this.#proceed());
  };

  readonly files: Ahead["files"] = (trial, onProgress) => {
    if (!this.#ahead) throw new Error("A trial is shown before it was opened.");
    return this.#ahead.files(trial, onProgress);
  };

  /** Whether a later trial can be shown without any network. */
  isMoreHere(trial: OpenTrial): boolean {
    return this.#ahead?.isMoreHere(trial) ?? false;
  }

  readonly withdraw = ({ study, withdraw_token }: Withdrawing) =>
    this.#do(async () => {
      await server.withdraw(withdraw_token, this.#signal);
      const { participant_token } = this.#memory;
      if ([this.#memory.withdraw_token, participant_token].includes(withdraw_token)) {
        await this.#forget();
      }
      tidyAddress();
      this.#show({ at: "withdrawn", study });
    });

  readonly startOver = () =>
    this.#do(async () => {
      await this.#forget();
      await this.#proceed();
    });

  get #name(): string {
    const { slug, preview } = this.#address;
    return preview ? `${slug}.preview` : slug;
  }

  #remember(change: Partial<Memory>): void {
    this.#memory = remember(this.#name, { ...this.#memory, ...change });
  }

  #joined(study: StudyPage) {
    const participant_token = this.#memory.participant_token ?? "";
    // Either token lets somebody withdraw; another device has only the one.
    const withdraw_token = this.#memory.withdraw_token ?? participant_token;
    return { study, participant_token, withdraw_token };
  }

  #takeFromAddress(): void {
    const { participant_token, invitation } = this.#address;
    if (participant_token) {
      if (participant_token !== this.#memory.participant_token) {
        this.#memory = { ...forget(this.#name), participant_token };
        this.#remember({});
      }
      tidyAddress();
    }
    if (invitation && invitation !== this.#memory.invitation) {
      const { language } = this.#memory;
      this.#memory = { ...forget(this.#name), language, invitation };
      this.#remember({});
    }
  }

  /** Notes whom a panel has sent, who may be another person at the same browser. Whether what the
   * address says cannot be anybody. */
  #takeFromPanel(study: StudyPage): boolean {
    const { panel, language } = this.#memory;
    if (!study.panel || this.#address.preview) return false;
    const sent = sentBy(study.panel, this.#address.search);
    if (sent === "absent") return false;
    if (sent === "unfit") return true;
    if (panel && panel.participant !== sent.participant) {
      this.#memory = { ...forget(this.#name), language };
      this.#ahead = null;
    }
    this.#remember({ panel: sent });
    return false;
  }

  /** At the study's door, where a panel's participants are known by its ids. */
  async #arrive(study: StudyPage, declines: boolean): Promise<void> {
    const { panel: ids } = this.#memory;
    if (!ids) return this.#show({ at: "panel-needed", study });
    const body = { ids, language: study.language, declines };
    const { standing, end } = await server.arrive(this.#address.slug, body, this.#signal);
    if (standing === "took_part") return this.#show({ at: "took-part", study });
    if (standing === "ended" && end) return this.#show({ at: "ended", study, end });
    if (standing === "known") {
      await this.#join();
      return this.#proceed();
    }
    this.#show(study.state === "preparing" ? { at: "preparing", study } : { at: "consent", study });
  }

  async #proceed(): Promise<void> {
    const study = this.#study ?? (await this.#load());
    const unfit = this.#takeFromPanel(study);
    const { participant_token } = this.#memory;
    if (!participant_token && study.panel && !this.#address.preview) {
      return unfit ? this.#show({ at: "panel-unfit", study }) : this.#arrive(study, false);
    }
    if (!participant_token) return this.#show(this.#outside(study));
    await this.#deliver();
    const now = await server.progress(participant_token, this.#signal);
    const spoken = now.language === study.language ? study : await this.#load(now.language);
    const joined = this.#joined(spoken);
    switch (now.state) {
      case "complete":
        return this.#show({
          at: "thanks",
          ...joined,
          code: now.completion_code ?? "",
          end: now.end,
        });
      case "timed_out":
        if (now.end) return this.#show({ at: "ended", ...joined, end: now.end });
        break;
      case "withdrawn":
        return this.#show({ at: "withdrawn", study: spoken });
      case "hearing_failed":
        return this.#show({
          at: "check-failed",
          ...joined,
          said: {
            title: "hearing.failed.title",
            text: "hearing.failed.text",
            thanks: "headphones.failed.thanks",
          },
          end: now.end,
        });
      case "ineligible":
        return this.#show({ at: "ineligible", ...joined, end: now.end });
      // Those that keep people out come before any check of a device.
      case "questions_before":
        return this.#ask(spoken, "before");
      case "questions_after":
        return this.#ask(spoken, "after");
    }
    const check = this.#checkDue(joined, now);
    if (check) return this.#show(check);
    if (now.state === "hearing_check") return this.#show({ at: "hearing", ...joined });
    this.#ahead ??= new Ahead(participant_token, this.#signal);
    this.#ahead.learn(await server.openTrials(participant_token, this.#signal));
    const { next } = this.#ahead;
    if (next) this.#present(spoken, next);
  }

  /** The check that this device has yet to pass, or the one that was failed on whichever. */
  #checkDue(joined: Joined, now: Participation): Step | null {
    const checks = joined.study.media.flatMap((medium) => kindOf({ medium }).check ?? []);
    const failed = checks.find((check) => check.failed.stage === now.state)?.failed;
    if (failed) return { at: "check-failed", ...joined, said: failed.said, end: now.end };
    const due = checks.find((check) => check.stage === now.state || !check.isDone(this.#memory));
    return due?.step(joined, now) ?? null;
  }

  async #ask(study: StudyPage, when: "before" | "after"): Promise<void> {
    const joined = this.#joined(study);
    const questions = await server.questions(joined.participant_token, this.#signal);
    this.#show({ at: "questions", ...joined, when, questions });
  }

  #present(study: StudyPage, trial: OpenTrial): void {
    const passed = new Draft("trial", trial.trial_token).read().passed ?? [];
    const at =
      trial.break_before && !passed.includes("rest")
        ? "rest"
        : trial.introduction && !passed.includes("introduction")
          ? "introduction"
          : "trial";
    this.#show({ at, ...this.#joined(study), trial });
  }

  /** Sends what waits and asks what comes, while the listener listens on. */
  #synchronise(trials_total: number): void {
    this.#syncs += 1;
    const mine = this.#syncs;
    void this.#do(async () => {
      const { participant_token } = this.#memory;
      if (!participant_token) return;
      await this.#deliver();
      const last = this.#ahead?.last?.position ?? 0;
      if (mine !== this.#syncs || last >= trials_total) return;
      this.#ahead?.learn(await server.openTrials(participant_token, this.#signal));
      const { at } = this.#shown;
      const trial = "trial" in this.#shown ? this.#shown.trial : null;
      // Another tab or device has gone on meanwhile: so does this one.
      if (trial && at !== "sending" && !this.#ahead?.has(trial)) await this.#proceed();
    });
  }

  #outside(study: StudyPage): Step {
    if (this.#address.preview) return { at: "consent", study };
    if (study.state !== "open") return { at: study.state, study };
    const uninvited = study.access === "invitation" && !this.#memory.invitation;
    return { at: uninvited ? "invitation-needed" : "consent", study };
  }

  async #load(language: string | null = this.#memory.language): Promise<StudyPage> {
    const { slug } = this.#address;
    const guess = language ?? this.#wishes[0] ?? null;
    let study = await server.loadStudy(slug, guess, this.#signal);
    const best = language ? study.language : negotiate(this.#wishes, study.languages);
    if (best !== study.language) study = await server.loadStudy(slug, best, this.#signal);
    this.#study = study;
    return study;
  }

  async #join(): Promise<void> {
    const study = this.#study ?? (await this.#load());
    // Kept before it is sent: whoever reloads now is still the same participant.
    this.#remember({ language: study.language });
    const { join_key, invitation, panel } = this.#memory;
    const { participant_token, withdraw_token } = await server.join(
      this.#address.slug,
      {
        consent_version: study.consent.version,
        join_key,
        language: study.language,
        kind: this.#address.preview ? "preview" : "person",
        ...(invitation ? { invitation } : {}),
        ...(panel ? { panel } : {}),
      },
      this.#signal,
    );
    this.#remember({ participant_token, withdraw_token });
  }

  async #studyIfAny(): Promise<StudyPage | null> {
    try {
      return await this.#load();
    } catch (error) {
      if (error instanceof Problem) return null;
      throw error;
    }
  }

  /** Forgets the participation, and what waits for it. */
  async #forget(): Promise<void> {
    const { participant_token } = this.#memory;
    if (participant_token) await discardAll(participant_token);
    forgetDrafts();
    this.#memory = forget(this.#name);
    this.#ahead = null;
  }

  /** Sends what waits. A trial whose answer is not taken is open once more. */
  async #deliver(): Promise<void> {
    const { participant_token } = this.#memory;
    if (!participant_token) return;
    for (const { to, body } of await deliver(participant_token, this.#signal)) {
      if (to === "votes") this.#ahead?.reopen(body.trial_token);
    }
  }

  async #keep(content: Content): Promise<void> {
    const { participant_token } = this.#memory;
    if (participant_token) await keep({ ...content, participant_token });
  }

  /** One thing after another: what is sent and asked must not overtake itself. */
  #do(act: () => Promise<void>): Promise<void> {
    const done = this.#work.then(() => this.#guarded(act));
    this.#work = done.catch(() => {});
    return done;
  }

  async #guarded(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      if (this.#signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      // Other tabs or devices have gone further than this one knew.
      if (OVERTAKEN.includes(error.kind)) return this.#guarded(() => this.#proceed());
      if (this.#study?.panel && !this.#memory.participant_token) {
        if (AT_THE_DOOR.includes(error.kind)) return this.#guarded(() => this.#proceed());
      }
      if (error.kind === "withdrawn") await this.#forget();
      const study = error.kind === "consent-changed" ? await this.#load() : this.#study;
      const joined = study && this.#memory.participant_token ? this.#joined(study) : null;
      this.#show(stepAfter(error, study, joined, this.#shown.at));
    }
  }
}
