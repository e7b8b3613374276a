// The sound of a demo in a page: joins, plays, and comes back by itself.
// SPDX-License-Identifier: Apache-2.0
import { LastingPeer, type Offer, type PeerAt } from "./lastingPeer";

/** The least that the browser holds back for packets that come late; where the
 * network needs more, it takes more. */
const JITTER_BUFFER_TARGET_MS = 20;

export type PlayerAt =
  /** Not asked to play. */
  | "silent"
  | "opening"
  | "playing"
  /** The browser wants a click first: `unblock`. */
  | "blocked"
  /** The sound is gone, and is being fetched back. */
  | "away"
  /** The server, or the browser, will not; `reason` says why. */
  | "failed";

export interface PlayerView {
  readonly at: PlayerAt;
  /** 0 … 1. Phones may have none but their own. */
  readonly level: number;
  readonly reason: string | null;
}

const AT: Record<Exclude<PeerAt, "open">, PlayerAt> = {
  closed: "silent",
  opening: "opening",
  away: "away",
  refused: "failed",
};

export class Player {
  /** An element and no audio graph: it goes on while a phone's screen is locked. */
  readonly element = new Audio();
  readonly #link: LastingPeer;
  readonly #told = new Set<() => void>();
  #view: PlayerView = { at: "silent", level: 1, reason: null };
  #open = false;

  constructor({ offer }: { readonly offer: Offer }) {
    this.#link = new LastingPeer({
      offer,
      furnish: (peer) => this.#furnish(peer),
      onChange: (at, reason) => this.#changed(at, reason),
    });
    this.element.setAttribute("playsinline", "");
    this.element.addEventListener("playing", () => this.#settle());
    // By a call, a lock screen's button, headphones that were pulled out.
    this.element.addEventListener("pause", () => this.#settle());
  }

  readonly subscribe = (told: () => void): (() => void) => {
    this.#told.add(told);
    return () => this.#told.delete(told);
  };

  readonly view = (): PlayerView => this.#view;

  /** Best called within a click: then no browser refuses to play. */
  start(): void {
    if (!("RTCPeerConnection" in globalThis)) {
      const reason = "This browser cannot play live sound. Use a recent Firefox, Chrome or Safari.";
      this.#show({ at: "failed", reason });
      return;
    }
    // Some browsers remember the click for elements that were told to play in it.
    this.element.srcObject ??= new MediaStream();
    void this.#play();
    this.#link.open();
  }

  /** Within a click, after the browser has refused to play without one. */
  unblock(): void {
    void this.#play();
  }

  stop(): void {
    this.#link.close();
    this.element.pause();
    this.element.srcObject = null;
  }

  /** Tries anew at once instead of a little later. */
  again(): void {
    this.#link.again();
  }

  setLevel(level: number): void {
    this.element.volume = level;
    this.#show({ level });
  }

  dispose(): void {
    this.stop();
    this.#told.clear();
  }

  /** What the browser knows of the stream. */
  stats(): Promise<RTCStatsReport | null> {
    return this.#link.peer?.getStats() ?? Promise.resolve(null);
  }

  #furnish(peer: RTCPeerConnection): void {
    const { receiver } = peer.addTransceiver("audio", { direction: "recvonly" });
    if ("jitterBufferTarget" in receiver) receiver.jitterBufferTarget = JITTER_BUFFER_TARGET_MS;
    this.element.srcObject = new MediaStream([receiver.track]);
    void this.#play();
  }

  async #play(): Promise<void> {
    try {
      await this.element.play();
    } catch {
      // Refused, or overtaken by a newer stream: `paused` tells which.
    }
    this.#settle();
  }

  #changed(at: PeerAt, reason: string | null): void {
    this.#open = at === "open";
    if (at === "open") this.#settle();
    else this.#show({ at: AT[at], reason });
  }

  /** While the connection is open, the element tells the rest. */
  #settle(): void {
    if (this.#open) this.#show({ at: this.element.paused ? "blocked" : "playing", reason: null });
  }

  #show(change: Partial<PlayerView>): void {
    const next = { ...this.#view, ...change };
    const same =
      next.at === this.#view.at &&
      next.level === this.#view.level &&
      next.reason === this.#view.reason;
    if (same) return;
    this.#view = next;
    for (const told of this.#told) told();
  }
}
