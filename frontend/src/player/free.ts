// A trial under a listener's hands: play, pause, switch, seek, repeat a part.
// SPDX-License-Identifier: Apache-2.0
import { sounded } from "./coverage";
import type { Region } from "./fade";
import { type Account, type CommonView, Instrument, type Passed } from "./instrument";
import { type Listening, listen, type MustHear, mayVote, nothingHeard } from "./listening";
import type { Output } from "./output";
import { type Member, type Members, membersOf, Pair } from "./pair";

/** A shorter part is a buzz, not a passage (ITU-R BS.1534-3 asks for the same). */
export const LEAST_LOOP_SECONDS = 0.5;

export interface FreeView extends CommonView {
  readonly listening: Listening;
  readonly position_s: number;
  /** The part that is chosen to be repeated. */
  readonly region: Region;
  readonly looping: boolean;
}

export interface FreePast extends Passed, Pick<FreeView, "position_s" | "region" | "looping"> {
  readonly kind: "free";
  readonly listening: Listening;
}

/** What sounds, up to where it was counted. */
interface Counted {
  readonly loop: Region | null;
  readonly position_s: number;
  readonly at_s: number;
}

interface Beginning {
  readonly past?: FreePast | undefined;
  readonly must?: MustHear;
}

export class FreeInstrument extends Instrument<FreeView, Pair> {
  readonly kind = "free";
  /** What has to be heard before a vote. */
  readonly must: MustHear;
  protected readonly tick_ms = 100;
  #counted: Counted | null = null;
  #sounded: Region[] = [];

  /** @throws RangeError when the buffers are not alike. */
  constructor(
    output: Output,
    buffers: Members<AudioBuffer>,
    { past, must = null }: Beginning = {},
  ) {
    const { context, level } = output;
    // What an older page kept has no parts.
    const heard = { ...nothingHeard, ...past?.listening };
    const pair = new Pair(context, buffers, level, heard.member);
    super(
      output,
      buffers,
      pair,
      {
        listening: { ...heard, playing: false, counted_s: context.currentTime },
        position_s: past?.position_s ?? 0,
        region: past?.region ?? { from_s: 0, to_s: pair.duration_s },
        looping: past?.looping ?? false,
        blocked: false,
        mayVote: mayVote(must, heard, pair.duration_s, membersOf(buffers)),
      },
      past,
    );
    this.must = must;
  }

  protected begin(): void {
    const { looping, region, position_s } = this.shown;
    const [begin_s, end_s] = looping ? [region.from_s, region.to_s] : [0, this.duration_s];
    const from_s = position_s < begin_s || position_s >= end_s ? begin_s : position_s;
    this.#start(from_s);
    this.#hear({ type: "play" }, { position_s: from_s });
    this.write("play");
  }

  stop(): void {
    if (!this.playing) return;
    this.rest();
    const position_s = this.#halt();
    this.#hear({ type: "stop" }, { position_s });
    this.write("pause");
  }

  /** A member's own button: makes it heard; pressed again, stops or starts it. */
  async press(member: Member): Promise<void> {
    if (member === this.sound.heard) return this.toggle();
    await this.hear(member);
  }

  /** Makes a member heard, whatever went before; pressed again, changes nothing. */
  async hear(member: Member): Promise<void> {
    if (!this.members.includes(member)) return;
    if (member !== this.sound.heard) {
      this.sound.switchTo(member);
      this.#hear({ type: "choose", member });
      this.write("switch");
    }
    if (!this.playing) await this.play();
  }

  seek(position_s: number): void {
    const to_s = Math.min(Math.max(0, position_s), this.duration_s);
    const { region, looping } = this.shown;
    // Who goes outside the part that repeats wants to hear what is there.
    if (looping && (to_s < region.from_s || to_s >= region.to_s)) this.show({ looping: false });
    if (this.playing) {
      this.#halt();
      if (to_s < this.duration_s) this.#start(to_s);
      else this.#end();
    }
    this.#hear({ type: "seek" }, { position_s: to_s });
    this.write("seek");
  }

  /** Moves the part's beginning; the end gives way to keep it long enough. */
  beginLoopAt(position_s: number): void {
    const from_s = Math.max(0, Math.min(position_s, this.duration_s - LEAST_LOOP_SECONDS));
    this.#chooseRegion({
      from_s,
      to_s: Math.max(this.shown.region.to_s, from_s + LEAST_LOOP_SECONDS),
    });
  }

  /** Moves the part's end; the beginning gives way to keep it long enough. */
  endLoopAt(position_s: number): void {
    const to_s = Math.min(this.duration_s, Math.max(position_s, LEAST_LOOP_SECONDS));
    this.#chooseRegion({
      from_s: Math.min(this.shown.region.from_s, to_s - LEAST_LOOP_SECONDS),
      to_s,
    });
  }

  setLooping(looping: boolean): void {
    const at_s = this.sound.position();
    this.show({ looping });
    this.write("loop");
    if (at_s === null) return;
    this.#halt();
    this.#start(at_s);
  }

  account(): Account {
    this.#hear({ type: "tick" });
    const { plays, switches, startedWith, covered } = this.shown.listening;
    return this.told({
      plays,
      switches,
      played_first: startedWith,
      covered,
    });
  }

  /** How one of several was heard, and the reference beside it. */
  accountOf(member: Member): Account {
    const { plays, covered } = this.shown.listening;
    const { plays_first, covered_first } = this.told({
      switches: 0,
      played_first: null,
      plays: { ...plays, first: plays[member] },
      covered: { ...covered, first: covered[member] },
    });
    const account = this.account();
    return { ...account, plays_first, plays_second: 0, covered_first, covered_second: null };
  }

  past(): FreePast {
    if (this.playing) this.tick();
    const { listening, position_s, region, looping } = this.shown;
    return { kind: "free", listening, position_s, region, looping, ...this.passed() };
  }

  protected get place() {
    return { member: this.sound.heard, position_s: this.shown.position_s };
  }

  #chooseRegion({ from_s, to_s }: Region): void {
    const rate_hz = this.context.sampleRate;
    const sample = (at_s: number) => Math.round(at_s * rate_hz) / rate_hz;
    this.show({ region: { from_s: sample(from_s), to_s: sample(to_s) } });
    this.setLooping(true);
  }

  #start(from_s: number): void {
    const { looping, region } = this.shown;
    const loop = looping ? region : null;
    this.sound.start(from_s, { loop, onEnded: () => this.#end() });
    const position_s = this.sound.position() ?? from_s;
    this.#counted = { loop, position_s, at_s: this.context.currentTime };
  }

  /** Stops the sound and returns the position reached. */
  #halt(): number {
    const position_s = this.sound.stop();
    this.#count(position_s);
    this.#counted = null;
    return position_s;
  }

  #end(): void {
    this.rest();
    this.#count(this.duration_s);
    this.#counted = null;
    this.#hear({ type: "stop" }, { position_s: this.duration_s });
    this.write("ended");
  }

  /** Notes what has sounded since it was last counted. */
  #count(position_s: number): void {
    if (!this.#counted) return;
    const { loop, position_s: from_s, at_s } = this.#counted;
    const now_s = this.context.currentTime;
    this.#sounded.push(...sounded(from_s, position_s, now_s - at_s, loop));
    this.#counted = { loop, position_s, at_s: now_s };
  }

  protected tick(): void {
    const position_s = this.sound.position();
    this.#hear({ type: "tick" }, position_s === null ? {} : { position_s });
  }

  #hear(
    event: { type: "play" | "stop" | "seek" | "tick" } | { type: "choose"; member: Member },
    change: Partial<FreeView> = {},
  ): void {
    const reached_s = this.sound.position();
    if (reached_s !== null) this.#count(reached_s);
    const at_s = this.context.currentTime;
    const sounded = this.#sounded;
    this.#sounded = [];
    const listening = listen(this.shown.listening, { ...event, at_s, sounded });
    const may = mayVote(this.must, listening, this.duration_s, this.members);
    this.show({ ...change, listening, mayVote: may });
  }
}
