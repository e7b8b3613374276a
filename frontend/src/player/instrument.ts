// What every player has, however its sounds are played: something to show, an
// account of how the listener came to an answer, and a journal of every action.
// SPDX-License-Identifier: Apache-2.0
import type { Region } from "./fade";
import { type Output, outputLatency_ms, startOutput, whenHeld } from "./output";
import { type Member, type Members, membersOf } from "./pair";

/** More than the server takes would cost the vote; the counts go on regardless. */
const JOURNAL_LIMIT = 1_900;

/** The same of passages: whoever makes more has heard it all many times over. */
const PASSAGES_LIMIT = 1_000;

/** Half a day, the most that the server takes: a page may stay open for a night. */
const LONGEST_MS = 43_200_000;

export type Action = "play" | "pause" | "switch" | "seek" | "loop" | "ended" | "hidden" | "visible";

export interface Entry {
  /** Since the trial was shown. */
  readonly at_ms: number;
  readonly action: Action;
  readonly member: Member;
  readonly position_ms: number;
}

/** What a page shows of any instrument. */
export interface CommonView {
  /** The browser does not let sound start, or took it away. */
  readonly blocked: boolean;
  readonly mayVote: boolean;
}

/** What an instrument hands on to the one that takes its place when the page is loaded again. */
export interface Passed {
  /** So long after the trial was first shown, */
  readonly at_ms: number;
  /** at this instant of the device's clock. */
  readonly epoch_ms: number;
  readonly journal: readonly Entry[];
}

interface Counts {
  readonly switches: number;
  readonly played_first: Member | null;
}

/** A part of a recording that sounded. */
interface Passage {
  readonly from_ms: number;
  readonly to_ms: number;
}

interface Told extends Counts {
  readonly plays: Readonly<Record<Member, number>>;
  readonly covered: Readonly<Record<Member, readonly Region[]>>;
}

/** How a listener came to an answer. */
export interface Account extends Counts {
  readonly plays_first: number;
  readonly plays_second: number;
  /** Null where there is no X. */
  readonly plays_x: number | null;
  readonly covered_first: Passage[];
  /** Null where one recording is judged alone. */
  readonly covered_second: Passage[] | null;
  readonly covered_x: Passage[] | null;
  readonly decision_ms: number;
  readonly output_latency_ms: number | null;
  readonly events: Entry[];
}

/** What an instrument plays on. */
interface Sound {
  readonly duration_s: number;
  readonly playing: boolean;
  dispose(): void;
}

/** Shows a view, keeps the journal, and notices what takes the listener's ear
 * or eye away: a call or another tab can take the sound, and one can look away. */
export abstract class Instrument<
  View extends CommonView = CommonView,
  Played extends Sound = Sound,
> {
  readonly duration_s: number;
  readonly members: readonly Member[];
  protected readonly context: AudioContext;
  protected readonly sound: Played;
  protected shown: View;
  readonly #since_ms: number;
  readonly #journal: Entry[];
  readonly #listeners = new Set<() => void>();
  #ticker: ReturnType<typeof setInterval> | undefined;
  #letGo = () => {};

  constructor(
    { context }: Output,
    buffers: Members<AudioBuffer>,
    sound: Played,
    view: View,
    past?: Passed,
  ) {
    this.context = context;
    this.sound = sound;
    this.duration_s = sound.duration_s;
    this.members = membersOf(buffers);
    this.shown = view;
    const away_ms = past ? Math.max(0, Date.now() - past.epoch_ms) : 0;
    this.#since_ms = performance.now() - (past?.at_ms ?? 0) - away_ms;
    this.#journal = [...(past?.journal ?? [])];
    this.#watch();
  }

  readonly view = (): View => this.shown;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  abstract stop(): void;
  abstract account(): Account;
  /** What the next instrument of this trial goes on with. */
  abstract past(): Passed;
  protected abstract begin(): void;
  /** How often `tick` is called while it plays. */
  protected abstract readonly tick_ms: number;
  protected abstract tick(): void;
  /** Where an action that happens now belongs. */
  protected abstract get place(): { readonly member: Member; readonly position_s: number };

  protected get playing(): boolean {
    return this.sound.playing;
  }

  async play(): Promise<void> {
    const started = await startOutput();
    this.show({ blocked: !started });
    if (!started || this.playing) return;
    this.begin();
    this.#ticker = setInterval(() => this.tick(), this.tick_ms);
  }

  /** Starts the sound, or stops it. */
  async toggle(): Promise<void> {
    if (this.playing) this.stop();
    else await this.play();
  }

  dispose(): void {
    this.rest();
    this.sound.dispose();
    this.#letGo();
    this.#listeners.clear();
  }

  /** Nothing more is to be told until it plays again. */
  protected rest(): void {
    clearInterval(this.#ticker);
  }

  #watch(): void {
    const letGo = whenHeld((held) => this.show({ blocked: this.playing && held }));
    const sight = () => this.write(document.hidden ? "hidden" : "visible");
    document.addEventListener("visibilitychange", sight);
    const seen = this.#journal.findLast(
      ({ action }) => action === "hidden" || action === "visible",
    );
    if (seen?.action === "hidden" && !document.hidden) sight();
    this.#letGo = () => {
      letGo();
      document.removeEventListener("visibilitychange", sight);
    };
  }

  protected show(change: Partial<CommonView> | Partial<View>): void {
    this.shown = { ...this.shown, ...change };
    for (const listener of this.#listeners) listener();
  }

  protected write(action: Action, { member, position_s } = this.place): void {
    if (this.#journal.length >= JOURNAL_LIMIT) return;
    const position_ms = Math.round(position_s * 1000);
    this.#journal.push({ at_ms: this.sinceShown_ms(), action, member, position_ms });
  }

  protected told({ plays, covered, ...counts }: Told): Account {
    const of = (member: Member) =>
      this.members.includes(member) ? passages(covered[member]) : null;
    return {
      ...counts,
      plays_first: plays.first,
      plays_second: plays.second,
      plays_x: this.members.includes("x") ? plays.x : null,
      covered_first: passages(covered.first),
      covered_second: of("second"),
      covered_x: of("x"),
      decision_ms: this.sinceShown_ms(),
      output_latency_ms: outputLatency_ms(),
      events: [...this.#journal],
    };
  }

  /** A page that goes stops the sound. */
  protected passed(): Passed {
    const at_ms = this.sinceShown_ms();
    const { member, position_s } = this.place;
    const position_ms = Math.round(position_s * 1000);
    const journal = [...this.#journal];
    if (this.playing && journal.length < JOURNAL_LIMIT) {
      journal.push({ at_ms, action: "pause", member, position_ms });
    }
    return { at_ms, epoch_ms: Date.now(), journal };
  }

  protected sinceShown_ms(): number {
    return Math.min(LONGEST_MS, Math.round(performance.now() - this.#since_ms));
  }
}

const passages = (parts: readonly Region[]): Passage[] =>
  parts.slice(0, PASSAGES_LIMIT).map(({ from_s, to_s }) => ({
    from_ms: Math.round(1000 * from_s),
    to_ms: Math.round(1000 * to_s),
  }));
