// One link to the server through everything that happens to a network: opens
// transports one after the other, and goes on where the last one ended.
// SPDX-License-Identifier: Apache-2.0
import { pageClock_us } from "./clock";
import type {
  BrowserFrame,
  BrowserMessage,
  Hello,
  Opening,
  Refused,
  ServerFrame,
  ServerMessage,
} from "./frames";
import { Link } from "./link";
import { type OpenTransport, openTransport, type Transport } from "./transport";

/** Until the server has answered over a transport that loses, hello is said again. */
const HELLO_AGAIN_MS = 200;
/** How long what is left to say may take once nothing more will be told. */
const LAST_WORDS_MS = 2_000;
/** The server asks for the page's clock twice a second: nothing for so long is no network. */
const SILENCE_MS = 4_000;
const WAITS_MS = [250, 500, 1_000, 2_000] as const;

/** `away`: was open, and is being opened again. `over`: nothing more will come. */
export type LinkState = "connecting" | "open" | "away" | "over";

export interface LinkEvents {
  /** `at_us`: when the frame with it came. */
  readonly onMessage: (message: ServerMessage, at_us: number) => void;
  readonly onState: (state: LinkState) => void;
  readonly onRefused: (refused: Refused) => void;
  /** More could not be sent than can be kept. */
  readonly onOverrun: () => void;
}

export class Connection {
  readonly #hello: Omit<Hello, "type" | "link_id" | "resumes">;
  readonly #events: LinkEvents;
  readonly #open: OpenTransport;
  readonly #link_id = crypto.randomUUID();
  readonly #link = new Link<BrowserMessage, ServerMessage>();
  readonly #leaving = new AbortController();
  #transport: Transport | null = null;
  #state: LinkState = "connecting";
  #welcomed = false;
  /** Whether the server has said anything over this transport. */
  #answered = false;
  #finishing = false;
  #again: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;

  constructor(
    hello: Omit<Hello, "type" | "link_id" | "resumes">,
    events: LinkEvents,
    open: OpenTransport = openTransport,
  ) {
    this.#hello = hello;
    this.#events = events;
    this.#open = open;
    const { signal } = this.#leaving;
    // The browser knows before any silence does; whether it is right, the next transport shows.
    addEventListener("offline", () => this.#lose(), { signal });
    void this.#connect(0);
  }

  /** Which way frames go just now; null: none. */
  get kind(): Transport["kind"] | null {
    return this.#transport?.kind ?? null;
  }

  send(message: BrowserMessage): void {
    if (this.#state === "over") return;
    try {
      this.#link.send(message);
    } catch {
      this.#events.onOverrun();
      this.close();
      return;
    }
    this.#flush();
  }

  /** Closes as soon as the server has all that was sent. */
  finish(): void {
    if (this.#state === "over") return;
    this.#finishing = true;
    this.#flush();
    setTimeout(() => this.close(), LAST_WORDS_MS);
    this.#closeIfSettled();
  }

  /** Nothing more is sent or told. */
  close(): void {
    this.#leaving.abort();
    clearTimeout(this.#again);
    clearTimeout(this.#silence);
    this.#transport?.close();
    this.#transport = null;
    this.#change("over");
  }

  #change(state: LinkState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#events.onState(state);
  }

  async #connect(failures: number): Promise<void> {
    const { signal } = this.#leaving;
    try {
      const transport = await this.#open(
        this.#hello.participant_token,
        {
          onText: (text) => this.#take(text),
          onRoom: () => this.#flush(),
          onGone: () => this.#lose(),
        },
        signal,
      );
      if (signal.aborted) {
        transport.close();
        return;
      }
      this.#transport = transport;
      this.#answered = false;
      this.#link.attach(transport.kind);
      this.#hear();
      this.#flush();
    } catch {
      if (!signal.aborted) this.#connectLater(failures + 1);
    }
  }

  /** After a while, or at once when the browser is online again. */
  #connectLater(failures: number): void {
    const { signal } = this.#leaving;
    const waiting = new AbortController();
    const go = () => {
      if (waiting.signal.aborted) return;
      waiting.abort();
      clearTimeout(timer);
      if (!signal.aborted) void this.#connect(failures);
    };
    const wait_ms = WAITS_MS[Math.min(failures, WAITS_MS.length) - 1] ?? 0;
    const timer = setTimeout(go, wait_ms);
    addEventListener("online", go, { signal: AbortSignal.any([signal, waiting.signal]) });
  }

  #lose(): void {
    if (!this.#transport || this.#state === "over") return;
    if (this.#finishing) {
      this.close();
      return;
    }
    this.#transport.close();
    this.#transport = null;
    clearTimeout(this.#again);
    clearTimeout(this.#silence);
    this.#link.detach();
    if (this.#state === "open") this.#change("away");
    this.#connectLater(1);
  }

  #hear(): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#lose(), SILENCE_MS);
  }

  #take(text: string): void {
    const frame = JSON.parse(text) as ServerFrame;
    const now_ms = performance.now();
    const at_us = pageClock_us(now_ms);
    this.#hear();
    this.#answered = true;
    if (frame.opening) this.#greeted(frame.opening);
    if (this.#state === "over") return;
    const messages = this.#link.receive({ ...frame, messages: frame.messages ?? [] }, now_ms);
    for (const message of messages) {
      if (!this.#finishing) this.#events.onMessage(message, at_us);
    }
    const { probe } = frame;
    this.#flush(probe ? [{ ...probe, at_us: pageClock_us() }] : []);
    this.#closeIfSettled();
  }

  #closeIfSettled(): void {
    if (this.#finishing && this.#link.unacknowledged === 0) this.close();
  }

  #greeted(opening: Opening): void {
    if (opening.type === "refused") {
      this.close();
      this.#events.onRefused(opening);
      return;
    }
    this.#welcomed = true;
    this.#change("open");
  }

  #flush(answers: NonNullable<BrowserFrame["answers"]> = []): void {
    const transport = this.#transport;
    if (!transport) return;
    const now_ms = performance.now();
    const isFull = transport.isFull();
    // An answer to a probe tells of the network only at once; what else there is waits for room.
    const frames = isFull ? [] : this.#link.frames(now_ms);
    if (frames.length === 0 && (answers.length > 0 || !this.#answered)) {
      frames.push(this.#link.bare());
    }
    frames.forEach((frame, place) => {
      const sent: BrowserFrame = {
        ...(this.#answered ? {} : { opening: this.#opening() }),
        ...frame,
        messages: [...frame.messages],
        ...(place === 0 && answers.length > 0 ? { answers } : {}),
      };
      transport.send(JSON.stringify(sent));
    });
    this.#schedule(now_ms, isFull);
  }

  #opening(): Hello {
    return { type: "hello", ...this.#hello, link_id: this.#link_id, resumes: this.#welcomed };
  }

  #schedule(now_ms: number, isFull: boolean): void {
    clearTimeout(this.#again);
    const due_ms = isFull ? null : this.#link.dueAt_ms();
    const hello_ms =
      this.#answered || this.#transport?.kind !== "lossy" ? null : now_ms + HELLO_AGAIN_MS;
    const next_ms = Math.min(
      due_ms ?? Number.POSITIVE_INFINITY,
      hello_ms ?? Number.POSITIVE_INFINITY,
    );
    if (next_ms === Number.POSITIVE_INFINITY) return;
    this.#again = setTimeout(() => this.#flush(), Math.max(0, next_ms - now_ms));
  }
}
