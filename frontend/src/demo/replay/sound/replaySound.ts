// The sound of a replay: it is fetched a little ahead, and while it is heard the
// replay goes by it, so that charts and ear show one instant.
// SPDX-License-Identifier: Apache-2.0
import { output, outputLatency_ms, startOutput } from "../../../player/output";
import type { ReplayFeed } from "../../feed/replay";
import { LaneGraph } from "./laneGraph";
import { type Fetch, Pieces, Undecodable } from "./pieces";
import { letterIn, type Segment, untilOf } from "./segments";

/** So far ahead pieces are fetched, and so far behind they are kept. */
const AHEAD_MS = 12_000;
const BEHIND_MS = 2_000;
const LOOK_MS = 200;
/** With less sound than this before it, the replay waits for more. */
const LEAST_MS = 2 * LOOK_MS;
/** Who drags the slider is not followed to each of its places. */
const SETTLE_MS = 150;
const AGAIN_MS = 3_000;
/** What is being faded out when the page is left has ended by then. */
const FADED_MS = 500;

export type SoundAt = "resting" | "loading" | "playing" | "blocked" | "away" | "undecodable";

export interface SoundView {
  readonly at: SoundAt;
  readonly on: boolean;
  /** 0 … 1 */
  readonly level: number;
  /** Of the lane that was chosen. */
  readonly letter: string;
}

/** One stretch of playing, from a seek or a start on. */
interface Run {
  readonly seeks: number;
  /** Where it begins. */
  readonly at_ms: number;
  leads: boolean;
  readonly added: Set<Segment>;
}

export class ReplaySound {
  readonly #feed: ReplayFeed;
  readonly #segments: readonly Segment[];
  readonly #pieces: Pieces;
  readonly #graph: LaneGraph;
  readonly #context: AudioContext;
  readonly #level: GainNode;
  readonly #listeners = new Set<() => void>();
  readonly #leave: () => void;
  readonly #looking: ReturnType<typeof setInterval>;
  #again: ReturnType<typeof setTimeout> | undefined;
  #run: Run | null = null;
  #view: SoundView = { at: "resting", on: true, level: 1, letter: "A" };

  constructor(feed: ReplayFeed, segments: readonly Segment[], fetch: Fetch) {
    const { context, level } = output();
    this.#feed = feed;
    this.#segments = segments;
    this.#pieces = new Pieces(fetch);
    this.#context = context;
    this.#level = new GainNode(context, { gain: 1 });
    this.#level.connect(level);
    this.#graph = new LaneGraph(context, this.#level, this.#view.letter);
    feed.follow(() => this.#led_ms());
    this.#leave = feed.subscribe(() => this.#follow());
    this.#looking = setInterval(() => this.#look(), LOOK_MS);
    context.addEventListener("statechange", this.#stateChanged);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): SoundView => this.#view;

  choose(letter: string): void {
    this.#show({ letter });
    this.#graph.switchTo(this.#letterAt(this.#feed.at_ms));
    if (!this.#view.on) this.setOn(true);
  }

  setLevel(level: number): void {
    this.#show({ level });
    // Not at once, which would click.
    this.#level.gain.setTargetAtTime(level, this.#context.currentTime, 0.01);
  }

  setOn(on: boolean): void {
    this.#show({ on });
    this.#follow();
  }

  /** After a click, which is what a browser may want first. */
  unblock(): void {
    this.#run = null;
    this.#follow();
  }

  dispose(): void {
    this.#leave();
    clearInterval(this.#looking);
    clearTimeout(this.#again);
    this.#context.removeEventListener("statechange", this.#stateChanged);
    this.#run = null;
    this.#feed.follow(() => Number.NaN);
    this.#graph.end();
    setTimeout(() => this.#level.disconnect(), FADED_MS);
  }

  /** What is heard now; NaN: the replay goes on by itself. */
  #led_ms(): number {
    const run = this.#run;
    if (!run?.leads) return Number.NaN;
    const heard_s = this.#context.currentTime - (outputLatency_ms() ?? 0) / 1000;
    const heard_ms = this.#graph.at_ms(heard_s);
    // While it is fetched, the replay waits.
    return Number.isNaN(heard_ms) ? run.at_ms : heard_ms;
  }

  #follow(): void {
    const { playing, speed, seeks, at_ms } = this.#feed;
    if (!this.#view.on || !playing || speed !== 1 || this.#segments.length === 0) {
      this.#rest("resting");
    } else if (this.#run?.seeks !== seeks) {
      void this.#begin(at_ms, this.#run ? SETTLE_MS : 0);
    }
  }

  #rest(at: SoundAt): void {
    clearTimeout(this.#again);
    this.#run = null;
    this.#graph.end();
    this.#show({ at });
  }

  async #begin(at_ms: number, settle_ms: number): Promise<void> {
    clearTimeout(this.#again);
    this.#graph.end();
    const run: Run = { seeks: this.#feed.seeks, at_ms, leads: true, added: new Set() };
    this.#run = run;
    this.#show({ at: "loading" });
    // Asked within the click that began it.
    const started = startOutput();
    await new Promise((resolve) => setTimeout(resolve, settle_ms));
    const trouble = (await started) ? await this.#fetched(run) : "blocked";
    if (this.#run !== run) return;
    if (trouble) {
      run.leads = false;
      this.#show({ at: trouble });
      if (trouble === "away") this.#again = setTimeout(() => this.unblock(), AGAIN_MS);
      return;
    }
    this.#graph.switchTo(this.#letterAt(at_ms));
    this.#graph.begin(at_ms);
    this.#show({ at: "playing" });
    this.#look();
  }

  /** Whether all is there that is heard first; else what is the matter. */
  async #fetched(run: Run): Promise<"away" | "undecodable" | null> {
    if (this.#run !== run) return null;
    try {
      await Promise.all(this.#near(run.at_ms, LEAST_MS).map((one) => this.#pieces.load(one)));
      return null;
    } catch (error) {
      return error instanceof Undecodable ? "undecodable" : "away";
    }
  }

  /** Adds what is heard soon, and fetches what comes after it. */
  #look(): void {
    const run = this.#run;
    const heard_ms = this.#graph.at_ms(this.#context.currentTime);
    if (!run || Number.isNaN(heard_ms)) return;
    this.#graph.switchTo(this.#letterAt(heard_ms));
    const near = this.#near(heard_ms, AHEAD_MS);
    for (const segment of near) {
      if (run.added.has(segment)) continue;
      const decoded = this.#pieces.at(segment);
      if (decoded) {
        run.added.add(segment);
        this.#graph.add(segment.from_ms, segment.length_ms, decoded);
      } else if (segment.from_ms - heard_ms < LEAST_MS) {
        void this.#begin(heard_ms, 0);
        return;
      } else {
        // What fails is asked for again, or waited for when it is needed.
        this.#pieces.load(segment).catch(() => {});
      }
    }
    this.#pieces.keep(
      (one) => untilOf(one) > heard_ms - BEHIND_MS && one.from_ms < heard_ms + 2 * AHEAD_MS,
    );
  }

  #near(at_ms: number, ahead_ms: number): Segment[] {
    return this.#segments.filter((one) => untilOf(one) > at_ms && one.from_ms < at_ms + ahead_ms);
  }

  #letterAt(at_ms: number): string {
    const { letter } = this.#view;
    const segment = this.#segments.findLast((one) => one.from_ms <= at_ms) ?? this.#segments[0];
    return segment ? letterIn(segment.lanes, letter) : letter;
  }

  /** A telephone call, or a device that was taken away: the charts go on without it. */
  readonly #stateChanged = (): void => {
    const run = this.#run;
    if (!run?.leads || this.#view.at !== "playing" || this.#context.state === "running") return;
    run.leads = false;
    this.#graph.end();
    this.#show({ at: "blocked" });
  };

  #show(change: Partial<SoundView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}
