// A pair under a listener's hands: the audio graph, the account of what was
// heard, and the journal of every action, as one thing that a page can show.
// SPDX-License-Identifier: Apache-2.0
import { type Listening, listen, mayVote, nothingHeard } from "./listening";
import { type Output, outputLatency_ms, startOutput } from "./output";
import { type Member, Pair } from "./pair";

const TICK_MS = 100;
/** More than the server takes would cost the vote; the counts go on regardless. */
const JOURNAL_LIMIT = 1_900;

export type Action = "play" | "pause" | "switch" | "seek" | "loop" | "ended" | "hidden" | "visible";

export interface Entry {
  /** Since the pair was shown. */
  readonly at_ms: number;
  readonly action: Action;
  readonly member: Member;
  readonly position_ms: number;
}

/** What a page shows of the instrument. */
export interface View {
  readonly listening: Listening;
  readonly position_s: number;
  readonly repeat: boolean;
  /** The browser does not let sound start, or took it away. */
  readonly blocked: boolean;
  readonly mayVote: boolean;
}

/** How a listener came to an answer. */
export interface Account {
  readonly plays_first: number;
  readonly plays_second: number;
  readonly switches: number;
  readonly decision_ms: number;
  readonly played_first: Member | null;
  readonly output_latency_ms: number | null;
  readonly events: Entry[];
}

export class Instrument {
  readonly duration_s: number;
  readonly #output: Output;
  readonly #pair: Pair;
  readonly #shown_ms = performance.now();
  readonly #journal: Entry[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #letGo: () => void;
  #view: View;
  #ticker: ReturnType<typeof setInterval> | undefined;

  /** @throws RangeError when the two buffers are not alike. */
  constructor(output: Output, buffers: Readonly<Record<Member, AudioBuffer>>) {
    this.#output = output;
    this.#pair = new Pair(output.context, buffers, output.level);
    this.duration_s = this.#pair.duration_s;
    this.#view = {
      listening: { ...nothingHeard, counted_s: output.context.currentTime },
      position_s: 0,
      repeat: false,
      blocked: false,
      mayVote: false,
    };
    this.#letGo = this.#watch();
  }

  readonly view = (): View => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async play(): Promise<void> {
    const started = await startOutput();
    this.#show({ blocked: !started });
    if (!started || this.#pair.playing) return;
    const ended = this.#view.position_s >= this.duration_s;
    const from_s = ended ? 0 : this.#view.position_s;
    this.#pair.start(from_s, { repeat: this.#view.repeat, onEnded: () => this.#end() });
    this.#ticker = setInterval(() => this.#tick(), TICK_MS);
    this.#hear({ type: "play" }, { position_s: from_s });
    this.#write("play");
  }

  pause(): void {
    if (!this.#pair.playing) return;
    clearInterval(this.#ticker);
    const position_s = this.#pair.stop();
    this.#hear({ type: "stop" }, { position_s });
    this.#write("pause");
  }

  async toggle(): Promise<void> {
    if (this.#pair.playing) this.pause();
    else await this.play();
  }

  /** A member's own button: makes it heard; pressed again, stops or starts it. */
  async press(member: Member): Promise<void> {
    if (member === this.#pair.heard) return this.toggle();
    await this.hear(member);
  }

  /** Makes a member heard, whatever went before; pressed again, changes nothing. */
  async hear(member: Member): Promise<void> {
    if (member !== this.#pair.heard) {
      this.#pair.switchTo(member);
      this.#hear({ type: "choose", member });
      this.#write("switch");
    }
    if (!this.#pair.playing) await this.play();
  }

  seek(position_s: number): void {
    const to_s = Math.min(Math.max(0, position_s), this.duration_s);
    const playing = this.#pair.playing;
    if (playing) {
      this.#pair.stop();
      if (to_s < this.duration_s) this.#restart(to_s);
      else this.#end();
    }
    this.#hear({ type: "seek" }, { position_s: to_s });
    this.#write("seek");
  }

  setRepeat(repeat: boolean): void {
    const at_s = this.#pair.position();
    this.#show({ repeat });
    if (at_s !== null) {
      this.#pair.stop();
      this.#restart(at_s);
    }
    this.#write("loop");
  }

  account(): Account {
    this.#hear({ type: "tick" });
    const { plays, switches, startedWith } = this.#view.listening;
    return {
      plays_first: plays.first,
      plays_second: plays.second,
      switches,
      decision_ms: this.#since_ms(),
      played_first: startedWith,
      output_latency_ms: outputLatency_ms(),
      events: [...this.#journal],
    };
  }

  dispose(): void {
    clearInterval(this.#ticker);
    this.#letGo();
    this.#pair.dispose();
    this.#listeners.clear();
  }

  #restart(from_s: number): void {
    this.#pair.start(from_s, { repeat: this.#view.repeat, onEnded: () => this.#end() });
  }

  #end(): void {
    clearInterval(this.#ticker);
    this.#hear({ type: "stop" }, { position_s: this.duration_s });
    this.#write("ended");
  }

  #tick(): void {
    const position_s = this.#pair.position();
    this.#hear({ type: "tick" }, position_s === null ? {} : { position_s });
  }

  #hear(
    event: { type: "play" | "stop" | "seek" | "tick" } | { type: "choose"; member: Member },
    change: Partial<View> = {},
  ): void {
    const at_s = this.#output.context.currentTime;
    const listening = listen(this.#view.listening, { ...event, at_s });
    this.#show({ ...change, listening, mayVote: mayVote(listening, this.duration_s) });
  }

  #show(change: Partial<View>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }

  #write(action: Action): void {
    if (this.#journal.length >= JOURNAL_LIMIT) return;
    this.#journal.push({
      at_ms: this.#since_ms(),
      action,
      member: this.#pair.heard,
      position_ms: Math.round(this.#view.position_s * 1000),
    });
  }

  #since_ms(): number {
    return Math.round(performance.now() - this.#shown_ms);
  }

  // A call or another tab can take the sound away, and a listener can look away.
  #watch(): () => void {
    const { context } = this.#output;
    const sound = () => this.#show({ blocked: this.#pair.playing && context.state !== "running" });
    const sight = () => this.#write(document.hidden ? "hidden" : "visible");
    context.addEventListener("statechange", sound);
    document.addEventListener("visibilitychange", sight);
    return () => {
      context.removeEventListener("statechange", sound);
      document.removeEventListener("visibilitychange", sight);
    };
  }
}
