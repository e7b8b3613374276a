// A console's end of its demo: the server's state, and what was asked of it and
// is not done yet. Nothing here says that something is so before the server did.
// SPDX-License-Identifier: Apache-2.0
import type {
  CommandRefused,
  ConsoleCommand,
  ConsoleMessage,
  DemoEvent,
  DemoState,
} from "../../api/generated";
import { DemoLink } from "../link";
import { listenerHere } from "../listener";
import { settingOf } from "../settings";
import type { Standing } from "../socket";
import { inverseOf, type Wish } from "./undoing";

export interface ConsoleView {
  readonly standing: Standing;
  /** null before the server has said it. */
  readonly state: DemoState | null;
  /** Asked for and not answered, in the order of asking. */
  readonly onItsWay: readonly Wish[];
  readonly refusal: CommandRefused | null;
  /** Why this page is no console of this demo. */
  readonly refused: { readonly code: number; readonly reason: string } | null;
  /** The newest. */
  readonly event: DemoEvent | null;
  /** Which lane this page's sound is of. */
  readonly heard: number;
  readonly undoable: boolean;
}

const MOST_UNDONE = 50;
/** Of what is answered only when it fails. */
const SILENT: ReadonlySet<Wish["do"]> = new Set(["key", "ping"]);

export class ConsoleLink extends DemoLink<ConsoleView, ConsoleMessage, ConsoleCommand> {
  readonly #asked = new Map<number, Wish>();
  readonly #undo: Wish[] = [];
  #number = 0;

  constructor(demo_id: number) {
    const ping = { command: 0, do: "ping" } as const;
    super(`/api/demos/${demo_id}/console`, ping, listenerHere(demo_id), {
      standing: "opening",
      state: null,
      onItsWay: [],
      refusal: null,
      refused: null,
      event: null,
      heard: 0,
      undoable: false,
    });
  }

  /** Asks the server; false where it cannot be asked now. */
  ask(wish: Wish): boolean {
    const { state } = this.shown;
    const inverse = state && inverseOf(wish, state);
    if (!this.#command(wish)) return false;
    if (inverse) {
      this.#undo.push(inverse);
      this.#undo.splice(0, Math.max(0, this.#undo.length - MOST_UNDONE));
      this.change({ undoable: true });
    }
    return true;
  }

  /** Asks for what was before this console's last change. */
  undo(): void {
    const wish = this.#undo.pop();
    if (wish) this.#command(wish);
    this.change({ undoable: this.#undo.length > 0 });
  }

  forgetRefusal(): void {
    this.change({ refusal: null });
  }

  #command(wish: Wish): boolean {
    this.#number += 1;
    const command = { ...wish, command: this.#number } as ConsoleCommand;
    if (!this.send(command)) return false;
    if (SILENT.has(wish.do)) return true;
    this.#asked.set(this.#number, wish);
    this.change({ onItsWay: [...this.#asked.values()], refusal: null });
    return true;
  }

  protected stand(standing: Standing): void {
    // Whether what was on its way got there, the state will tell.
    this.#asked.clear();
    this.change({ standing, onItsWay: [] });
    if (standing !== "open") return;
    this.#command({ do: "hello", listener: this.listener });
    this.#command({ do: "listen", lane: this.shown.heard });
  }

  protected refuse(code: number, reason: string): void {
    this.change({ refused: { code, reason } });
  }

  protected hear(message: ConsoleMessage): void {
    switch (message.type) {
      case "state":
        this.beginTake(message.take);
        this.settings.take(settingOf(message));
        this.change({ state: message, ...this.#overcome(message) });
        return;
      case "moment":
        this.feed.take(message);
        return;
      case "event":
        this.feed.take(message);
        this.change({ event: message });
        return;
      case "screen":
        this.write(message.lane, message);
        return;
      case "done":
        this.#answer(message.command, null);
        return;
      case "refused":
        this.#answer(message.command, message);
        return;
      case "pong":
        return;
    }
  }

  #answer(command: number | null, refusal: CommandRefused | null): void {
    const wish = command === null ? undefined : this.#asked.get(command);
    if (command !== null) this.#asked.delete(command);
    const heard = wish?.do === "listen" && !refusal ? wish.lane : this.shown.heard;
    this.change({
      heard,
      onItsWay: [...this.#asked.values()],
      refusal: refusal ?? this.shown.refusal,
    });
  }

  /** What was refused because nothing ran, as a key typed too soon, is no news once it does. */
  #overcome({ stage }: DemoState): Partial<ConsoleView> {
    const begins = stage === "running" && this.shown.state?.stage !== "running";
    return begins ? { refusal: null } : {};
  }
}
