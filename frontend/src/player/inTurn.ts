// A trial that is heard as P.800 has it: the first, a pause, the second, whole
// and in this order, as often as the listener wants.
// SPDX-License-Identifier: Apache-2.0
import { type Account, type CommonView, Instrument, type Passed } from "./instrument";
import { type Output, startOutput } from "./output";
import { type Member, type Members, membersOf } from "./pair";
import { Sequence } from "./sequence";
import { type Turn, turnAt } from "./turns";

const TICK_MS = 50;

export interface InTurnView extends CommonView {
  /** Where it is; null before the first start and after a stop. */
  readonly turn: Turn | null;
  readonly playing: boolean;
  /** How often each was heard to its end. */
  readonly heard: Readonly<Record<Member, number>>;
}

export interface InTurnPast extends Passed {
  readonly kind: "in_turn";
  readonly plays: InTurnView["heard"];
  readonly heard: InTurnView["heard"];
}

export class InTurnInstrument extends Instrument<InTurnView> {
  readonly kind = "in_turn";
  readonly duration_s: number;
  readonly members: readonly Member[];
  protected readonly context: AudioContext;
  readonly #sequence: Sequence;
  readonly #plays: Record<Member, number>;
  #ticker: ReturnType<typeof setInterval> | undefined;

  /** @throws RangeError when the buffers are not alike. */
  constructor({ context, level }: Output, buffers: Members<AudioBuffer>, past?: InTurnPast) {
    const heard = past?.heard ?? { first: 0, second: 0 };
    const mayVote = membersOf(buffers).every((member) => heard[member] > 0);
    super({ turn: null, playing: false, heard, blocked: false, mayVote }, past);
    this.#plays = { ...(past?.plays ?? { first: 0, second: 0 }) };
    this.context = context;
    this.#sequence = new Sequence(context, buffers, level);
    this.duration_s = this.#sequence.duration_s;
    this.members = membersOf(buffers);
    this.watch();
  }

  /** Plays everything from the beginning. */
  async play(): Promise<void> {
    const started = await startOutput();
    this.show({ blocked: !started });
    if (!started || this.playing) return;
    this.#sequence.start(() => this.#end());
    this.#ticker = setInterval(() => this.#follow(this.#sequence.elapsed() ?? 0), TICK_MS);
    this.show({ playing: true, turn: null });
    this.#follow(0);
  }

  stop(): void {
    if (!this.playing) return;
    this.#follow(this.#sequence.elapsed() ?? 0);
    clearInterval(this.#ticker);
    this.#sequence.stop();
    this.write("pause");
    this.show({ playing: false, turn: null });
  }

  account(): Account {
    const { first, second } = this.#plays;
    return this.told({
      plays_first: first,
      plays_second: second,
      switches: 0,
      played_first: first > 0 ? "first" : null,
    });
  }

  past(): InTurnPast {
    const { heard } = this.shown;
    return { kind: "in_turn", plays: { ...this.#plays }, heard, ...this.passed() };
  }

  override dispose(): void {
    clearInterval(this.#ticker);
    this.#sequence.dispose();
    super.dispose();
  }

  protected get playing(): boolean {
    return this.#sequence.playing;
  }

  protected get place() {
    const { turn } = this.shown;
    return { member: turn?.member ?? "first", position_s: turn?.position_s ?? 0 } as const;
  }

  #end(): void {
    clearInterval(this.#ticker);
    this.#follow(Number.POSITIVE_INFINITY);
    this.show({ playing: false });
  }

  /** Shows where the sequence is, and writes down what began and ended on the way. */
  #follow(elapsed_s: number): void {
    const before = this.shown.turn;
    const turn = turnAt(elapsed_s, this.duration_s, this.members.length === 1 ? 1 : 2);
    const heard = { ...this.shown.heard };
    for (const member of this.members) {
      if (began(turn, member) && !(before && began(before, member))) {
        this.#plays[member] += 1;
        this.write("play", { member, position_s: 0 });
      }
      if (turn.finished.includes(member) && !before?.finished.includes(member)) {
        heard[member] += 1;
        this.write("ended", { member, position_s: this.duration_s });
      }
    }
    this.show({ turn, heard, mayVote: this.members.every((member) => heard[member] > 0) });
  }
}

const began = ({ member, phase, finished }: Turn, asked: Member): boolean =>
  finished.includes(asked) || (member === asked && phase !== "pause");
