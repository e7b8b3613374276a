// One typing session in the page: keys go out, screens come in, each with its
// instant. Nothing is shown before the server says so (no local echo), nothing
// is taken that the typist could not see the effect of (no type-ahead), and no
// text is kept but what is not acknowledged yet.
// SPDX-License-Identifier: Apache-2.0
import type { PageState, RefusalCode, SessionStage, StageReason } from "../api/generated";
import { pageClock_us } from "./clock";
import { Connection, type LinkState } from "./connection";
import type { BrowserMessage, ServerMessage } from "./frames";
import { listen, type Stroke } from "./keyboard";
import { type Painted, Screen } from "./screen";
import type { TaskTime } from "./taskTime";
import type { OpenTransport } from "./transport";

/** Painted instants wait so long for a key to go with. */
const PAINTED_WAIT_MS = 200;
const MOST_PAINTED = 256;

export type SessionAt =
  | "connecting"
  | "preparing"
  | "ready"
  /** Said to be done; the server has not said so yet. */
  | "finishing"
  | "ended"
  | "void"
  | "refused";

/** What the last thing was that is not done here; it goes when a key works again. */
export type Hint = "paste" | "stuck";

export interface SessionView {
  readonly at: SessionAt;
  readonly reason: StageReason | RefusalCode | null;
  readonly link: LinkState;
  readonly keys: number;
  readonly hint: Hint | null;
  /** Null before it is ready. */
  readonly time: TaskTime | null;
  readonly focused: boolean;
  /** The machine is catching up: keys would wait for it, and are not taken. */
  readonly held: boolean;
  /** What can be read on the screen, for showing how far the typist is. */
  readonly rows: readonly string[];
}

const BEGINNING: SessionView = {
  at: "connecting",
  reason: null,
  link: "connecting",
  keys: 0,
  hint: null,
  time: null,
  focused: false,
  held: false,
  rows: [],
};

const told = (left_ms: number, passes: boolean): TaskTime => ({
  left_ms,
  told_ms: performance.now(),
  passes,
});

const OVER: readonly SessionAt[] = ["ended", "void", "refused"];

export interface Tokens {
  readonly participant_token: string;
  readonly session_token: string;
}

/** What a measurement may look at: each key and each screen, as they happen. */
export interface Witness {
  readonly onKey?: (number: number, stroke: Stroke) => void;
  readonly onScreen?: (number: number, answers_key: number, received_at_us: number) => void;
  readonly onPainted?: (number: number, at_us: number) => void;
}

export class TypingSession {
  readonly #connection: Connection;
  readonly #witness: Witness;
  readonly #listeners = new Set<() => void>();
  readonly #leaving = new AbortController();
  /** The number of the last key of each key on the keyboard that is down. */
  readonly #down = new Map<string, number>();
  #painted: { number: number; received_at_us: number; at_us: number }[] = [];
  #paintedTimer: ReturnType<typeof setTimeout> | undefined;
  #view = BEGINNING;
  #keys = 0;
  #screen: Screen | null = null;
  #deaf = () => {};
  #onWayOut = () => {};
  /** Screens that came before there was a place for them. */
  #early: { data: string; painted: Painted }[] = [];

  constructor(tokens: Tokens, witness: Witness = {}, open?: OpenTransport) {
    this.#witness = witness;
    this.#connection = new Connection(
      { ...tokens, purpose: "typing" },
      {
        onMessage: (message, at_us) => this.#take(message, at_us),
        onState: (link) => this.#show({ link }),
        onRefused: ({ code }) => this.#end("refused", code),
        onOverrun: () => this.#end("void", "too-much"),
      },
      open,
    );
    this.#watchPage();
  }

  readonly view = (): SessionView => this.#view;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Which way the frames go. */
  get transport(): "lossy" | "reliable" | null {
    return this.#connection.kind;
  }

  /** Puts the terminal into its place; `onWayOut` takes the focus from it. */
  mount(place: HTMLElement, label: string, onWayOut: () => void): void {
    const screen = new Screen(place, label);
    this.#screen = screen;
    this.#onWayOut = onWayOut;
    for (const { data, painted } of this.#early.splice(0)) screen.write(data, painted);
    this.#deaf = listen(screen.terminal, {
      onStroke: (stroke) => this.#stroke(stroke),
      onRelease: (code, at_ms) => this.#release(code, at_ms),
      onPaste: () => {
        this.#tell("paste-refused");
        this.#show({ hint: "paste" });
      },
      onStuck: () => this.#show({ hint: "stuck" }),
      onWayOut: () => this.#onWayOut(),
    });
    const { textarea } = screen.terminal;
    const { signal } = this.#leaving;
    textarea?.addEventListener("focus", () => this.#show({ focused: true }), { signal });
    textarea?.addEventListener("blur", () => this.#show({ focused: false }), { signal });
    if (this.#view.at === "ready") screen.enter();
  }

  focus(): void {
    this.#screen?.focus();
  }

  /** The typist is done. */
  finish(): void {
    if (this.#view.at !== "ready") return;
    this.#sendPainted();
    this.#send({ type: "finish" });
    this.#show({ at: "finishing" });
  }

  dispose(): void {
    clearTimeout(this.#paintedTimer);
    this.#leaving.abort();
    this.#deaf();
    this.#connection.close();
    this.#screen?.dispose();
    this.#screen = null;
    this.#listeners.clear();
  }

  #show(change: Partial<SessionView>): void {
    const entries = Object.entries(change) as [keyof SessionView, unknown][];
    if (entries.every(([name, value]) => this.#view[name] === value)) return;
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }

  #send(message: BrowserMessage): void {
    this.#connection.send(message);
  }

  #take(message: ServerMessage, at_us: number): void {
    if (message.type === "screen") {
      this.#write(message.number, message.data, message.answers_key, at_us);
    } else if (message.type === "held") {
      const { held, limit_ms_left } = message;
      this.#show({ held, time: told(limit_ms_left, !held) });
    } else if (message.type === "stage") {
      this.#stage(message);
    }
  }

  #stage({ stage, reason, limit_ms_left }: SessionStage): void {
    if (stage === "preparing") {
      this.#show({ at: "preparing" });
    } else if (stage === "ready") {
      this.#show({ at: "ready", time: told(limit_ms_left ?? 0, true) });
      this.#screen?.enter();
    } else {
      this.#sendPainted();
      this.#end(stage, reason ?? null);
    }
  }

  #end(at: "ended" | "void" | "refused", reason: SessionView["reason"]): void {
    if (OVER.includes(this.#view.at)) return;
    this.#deaf();
    this.#show({ at, reason });
    this.#connection.finish();
  }

  #write(number: number, data: string, answers_key: number, received_at_us: number): void {
    this.#witness.onScreen?.(number, answers_key, received_at_us);
    const painted = (at_us: number) => {
      this.#witness.onPainted?.(number, at_us);
      // Only now: whatever the page makes of it must not put off the frame.
      this.#read();
      this.#painted.push({ number, received_at_us, at_us });
      if (this.#painted.length >= MOST_PAINTED) return this.#sendPainted();
      this.#paintedTimer ??= setTimeout(() => this.#sendPainted(), PAINTED_WAIT_MS);
    };
    if (this.#screen) this.#screen.write(data, painted);
    else this.#early.push({ data, painted });
  }

  #sendPainted(): void {
    clearTimeout(this.#paintedTimer);
    this.#paintedTimer = undefined;
    if (this.#painted.length === 0) return;
    this.#send({ type: "painted", screens: this.#painted.splice(0) });
  }

  #read(): void {
    if (this.#screen) this.#show({ keys: this.#keys, rows: this.#screen.rows() });
  }

  #stroke(stroke: Stroke): void {
    const { at, link, held } = this.#view;
    if (at !== "ready" || link !== "open" || held) return;
    this.#keys += 1;
    const number = this.#keys;
    const { data, kind, repeat } = stroke;
    // The key first: all else can wait.
    this.#send({ type: "key", number, at_us: pageClock_us(stroke.at_ms), data, kind, repeat });
    this.#witness.onKey?.(number, stroke);
    if (stroke.code) this.#down.set(stroke.code, number);
    // Counted in the page with the next screen: a frame for it now would hold up the echo's.
    this.#show({ hint: null });
  }

  #release(code: string, at_ms: number): void {
    const number = this.#down.get(code);
    if (number === undefined) return;
    this.#down.delete(code);
    this.#send({ type: "release", number, at_us: pageClock_us(at_ms) });
    if (this.#view.hint === "stuck") this.#show({ hint: null });
  }

  #tell(state: PageState, at_ms?: number): void {
    if (OVER.includes(this.#view.at)) return;
    this.#send({ type: "page", at_us: pageClock_us(at_ms), state });
  }

  #watchPage(): void {
    const { signal } = this.#leaving;
    const tell = (state: PageState) => (event: Event) => this.#tell(state, event.timeStamp);
    addEventListener("blur", tell("blurred"), { signal });
    addEventListener("focus", tell("focused"), { signal });
    addEventListener("resize", tell("resized"), { signal });
    document.addEventListener(
      "visibilitychange",
      ({ timeStamp }) => this.#tell(document.hidden ? "hidden" : "visible", timeStamp),
      { signal },
    );
  }
}
