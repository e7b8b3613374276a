// One WebSocket through everything: it opens again after a loss, a silence and a sleep.
// SPDX-License-Identifier: Apache-2.0

export type Standing = "opening" | "open" | "away";

export interface Hearing<In> {
  readonly onMessage: (message: In) => void;
  /** Also when it opens again: whatever was known before may have changed. */
  readonly onStanding: (standing: Standing) => void;
  /** The server will not have this page, and says why; nothing more is tried. */
  readonly onRefused: (code: number, reason: string) => void;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 4_000;
/** With nothing heard for so long, the server is asked to answer. */
const QUIET_MS = 4_000;
/** And with no answer either, the connection is as good as lost. */
const LOST_MS = 8_000;
const LOOK_MS = 1_000;
/** Codes by which the server refuses; others are losses. */
const REFUSALS: ReadonlySet<number> = new Set([1008, 4400, 4401, 4403, 4404, 4409, 4410]);

export class Socket<In, Out> {
  readonly #address: string;
  readonly #ping: Out;
  readonly #hearing: Hearing<In>;
  readonly #leaving = new AbortController();
  readonly #look: ReturnType<typeof setInterval>;
  #socket: WebSocket | null = null;
  #again: ReturnType<typeof setTimeout> | undefined;
  #pause_ms = FIRST_PAUSE_MS;
  #heard_at_ms = Date.now();
  #standing: Standing = "opening";

  /** `address`: of this server, from its root. `ping`: what the server answers at once. */
  constructor(address: string, ping: Out, hearing: Hearing<In>) {
    this.#address = address;
    this.#ping = ping;
    this.#hearing = hearing;
    const { signal } = this.#leaving;
    // The browser knows before any silence does; whether it is right, the next socket shows.
    addEventListener("offline", () => this.#standing === "open" && this.#lose(), { signal });
    addEventListener("online", () => this.#hurry(), { signal });
    addEventListener("pageshow", () => this.#hurry(), { signal });
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "visible" && this.#hurry(),
      { signal },
    );
    this.#look = setInterval(() => this.#listen(), LOOK_MS);
    this.#open();
  }

  /** Whether it could be sent: what is said while the server is away is not kept for later. */
  send(message: Out): boolean {
    if (this.#standing !== "open" || this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#leaving.abort();
    clearInterval(this.#look);
    clearTimeout(this.#again);
    this.#drop();
  }

  #open(): void {
    clearTimeout(this.#again);
    this.#drop();
    this.#heard_at_ms = Date.now();
    const base = location.origin.replace(/^http/, "ws");
    const socket = new WebSocket(base + this.#address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#heard_at_ms = Date.now();
      this.#pause_ms = FIRST_PAUSE_MS;
      this.#stand("open");
    };
    socket.onmessage = ({ data }) => {
      this.#heard_at_ms = Date.now();
      this.#hearing.onMessage(JSON.parse(String(data)) as In);
    };
    socket.onclose = ({ code, reason }) => {
      if (REFUSALS.has(code)) {
        this.close();
        this.#hearing.onRefused(code, reason);
        return;
      }
      this.#lose();
    };
  }

  #lose(): void {
    this.#drop();
    this.#stand("away");
    clearTimeout(this.#again);
    // Not all who were here at once, where it was the server that went.
    const pause_ms = this.#pause_ms * (0.5 + Math.random() / 2);
    this.#again = setTimeout(() => this.#open(), pause_ms);
    this.#pause_ms = Math.min(LONGEST_PAUSE_MS, 2 * this.#pause_ms);
  }

  #drop(): void {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = null;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
  }

  /** A device that wakes has no use for a pause, nor for a connection from before. */
  #hurry(): void {
    if (this.#standing === "away") this.#open();
    else this.#listen();
  }

  #listen(): void {
    const quiet_ms = Date.now() - this.#heard_at_ms;
    if (this.#standing === "away" || quiet_ms < QUIET_MS) return;
    if (quiet_ms >= LOST_MS) this.#lose();
    else this.send(this.#ping);
  }

  #stand(standing: Standing): void {
    if (standing === this.#standing) return;
    this.#standing = standing;
    this.#hearing.onStanding(standing);
  }
}
