// A trial that is heard as P.800 has it: the first, a pause, the second, whole
// and in this order, as often as the listener wants; with X, it follows in the same way.
// SPDX-License-Identifier: Apache-2.0
import type { Region } from "./fade";
import { type Account, type CommonView, Instrument, type Passed } from "./instrument";
import type { Output } from "./output";
import { type Member, type Members, membersOf, ofEach } from "./pair";
import { Sequence } from "./sequence";
import { type Turn, turnAt } from "./turns";

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

export class InTurnInstrument extends Instrument<InTurnView, Sequence> {
  readonly kind = "in_turn";
  protected readonly tick_ms = 50;
  readonly #plays: Record<Member, number>;

  /** @throws RangeError when the buffers are not alike. */
  constructor(output: Output, buffers: Members<AudioBuffer>, past?: InTurnPast) {
    const sequence = new Sequence(output.context, buffers, output.level);
    const heard = { ...ofEach(0), ...past?.heard };
    const mayVote = membersOf(buffers).every((member) => heard[member] > 0);
    const view = { turn: null, playing: false, heard, blocked: false, mayVote };
    super(output, buffers, sequence, view, past);
    this.#plays = { ...ofEach(0), ...past?.plays };
  }

  /** Everything from the beginning. */
  protected begin(): void {
    this.sound.start(() => this.#end());
    this.show({ playing: true, turn: null });
    this.#follow(0);
  }

  stop(): void {
    if (!this.playing) return;
    this.tick();
    this.rest();
    this.sound.stop();
    this.write("pause");
    this.show({ playing: false, turn: null });
  }

  account(): Account {
    return this.told({
      plays: this.#plays,
      switches: 0,
      played_first: this.#plays.first > 0 ? "first" : null,
      covered: {
        ...ofEach<readonly Region[]>([]),
        first: this.#covered("first"),
        second: this.#covered("second"),
        x: this.#covered("x"),
      },
    });
  }

  /** All of it once it was heard to its end; before, there is no answer to account for. */
  #covered(member: Member): readonly Region[] {
    return this.shown.heard[member] > 0 ? [{ from_s: 0, to_s: this.duration_s }] : [];
  }

  past(): InTurnPast {
    const { heard } = this.shown;
    return { kind: "in_turn", plays: { ...this.#plays }, heard, ...this.passed() };
  }

  protected get place() {
    const { turn } = this.shown;
    return { member: turn?.member ?? "first", position_s: turn?.position_s ?? 0 } as const;
  }

  #end(): void {
    this.rest();
    this.#follow(Number.POSITIVE_INFINITY);
    this.show({ playing: false });
  }

  protected tick(): void {
    this.#follow(this.sound.elapsed() ?? 0);
  }

  /** Shows where the sequence is, and writes down what began and ended on the way. */
  #follow(elapsed_s: number): void {
    const before = this.shown.turn;
    const turn = turnAt(elapsed_s, this.duration_s, this.members);
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
