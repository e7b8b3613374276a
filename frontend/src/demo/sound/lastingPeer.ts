// One peer connection that is opened again for as long as it is wanted: after
// sleep, another network, a server that was started anew.
// SPDX-License-Identifier: Apache-2.0
import { Problem, saidBy } from "../../api/client";

/** From the offer to the open connection. */
const OPENING_PATIENCE_MS = 8_000;
/** A server that lives sends reports once a second also while there is no sound. */
const SILENCE_LIMIT_MS = 4_000;
const LOOK_EVERY_MS = 500;
/** Radio that comes back by itself. */
const DISCONNECTED_LIMIT_MS = 1_500;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 4_000;
/** Refusals that pass; 409: the page's socket, which comes back by itself too, is not there yet. */
const PASSING = [408, 409, 425, 429];

/** Hands an offer to the server, as SDP, and returns its answer. */
export type Offer = (sdp: string, signal: AbortSignal) => Promise<{ readonly sdp: string }>;

export type PeerAt = "closed" | "opening" | "open" | "away" | "refused";

export interface PeerWork {
  readonly offer: Offer;
  /** Says what the connection is to carry. */
  readonly furnish: (peer: RTCPeerConnection) => void;
  readonly onChange: (at: PeerAt, reason: string | null) => void;
}

export class LastingPeer {
  readonly #work: PeerWork;
  #at: PeerAt = "closed";
  #peer: RTCPeerConnection | null = null;
  #wanted = new AbortController();
  /** Ends what belongs to one connection. */
  #trying = new AbortController();
  #wait_ms = FIRST_WAIT_MS;
  #received_bytes = 0;
  #received_at_ms = 0;
  #looked_at_ms = 0;
  /** Why the last attempt failed, in the server's words. */
  #reason: string | null = null;

  constructor(work: PeerWork) {
    this.#work = work;
    this.#wanted.abort();
  }

  get peer(): RTCPeerConnection | null {
    return this.#peer;
  }

  open(): void {
    if (!this.#wanted.signal.aborted) return;
    this.#wanted = new AbortController();
    const { signal } = this.#wanted;
    const look = () => void this.#look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    signal.addEventListener("abort", () => clearInterval(timer));
    for (const woken of ["online", "pageshow", "focus"]) {
      window.addEventListener(woken, look, { signal });
    }
    document.addEventListener("visibilitychange", look, { signal });
    this.#wait_ms = FIRST_WAIT_MS;
    void this.#try("opening");
  }

  close(): void {
    this.#wanted.abort();
    this.#drop();
    this.#change("closed");
  }

  /** Begins anew at once, as when somebody asks for it. */
  again(): void {
    if (this.#wanted.signal.aborted) return;
    this.#wait_ms = FIRST_WAIT_MS;
    void this.#try("away");
  }

  #change(at: PeerAt, reason: string | null = null): void {
    this.#at = at;
    this.#work.onChange(at, reason);
  }

  #drop(): void {
    this.#trying.abort();
    this.#peer?.close();
    this.#peer = null;
  }

  async #try(at: "opening" | "away"): Promise<void> {
    this.#drop();
    this.#trying = new AbortController();
    const trying = AbortSignal.any([this.#trying.signal, this.#wanted.signal]);
    this.#change(at, this.#reason);
    try {
      await this.#agree(trying);
      if (trying.aborted) return;
      this.#wait_ms = FIRST_WAIT_MS;
      this.#received_at_ms = performance.now();
      this.#reason = null;
      this.#change("open");
    } catch (error) {
      if (trying.aborted) return;
      if (error instanceof Problem && !PASSING.includes(error.status)) {
        this.#drop();
        this.#change("refused", saidBy(error));
        return;
      }
      this.#reason = saidBy(error);
      this.#later();
    }
  }

  /** After a while that grows, and is not the same for a whole room. */
  #later(): void {
    this.#drop();
    this.#trying = new AbortController();
    this.#change("away", this.#reason);
    const wait_ms = this.#wait_ms * (0.5 + Math.random());
    this.#wait_ms = Math.min(2 * this.#wait_ms, LONGEST_WAIT_MS);
    const timer = setTimeout(() => void this.#try("away"), wait_ms);
    const stop = () => clearTimeout(timer);
    this.#trying.signal.addEventListener("abort", stop);
    this.#wanted.signal.addEventListener("abort", stop);
  }

  /** One offer, one answer. The server is where its answer says, and sees where we are by our
   * asking: no address of ours has to be gathered first. */
  async #agree(trying: AbortSignal): Promise<void> {
    const peer = new RTCPeerConnection({ iceServers: [] });
    this.#peer = peer;
    this.#received_bytes = 0;
    this.#work.furnish(peer);
    const patience = AbortSignal.any([trying, AbortSignal.timeout(OPENING_PATIENCE_MS)]);
    const open = new Promise<void>((resolve, reject) => {
      patience.addEventListener("abort", () => reject(new Error("It did not open.")));
      peer.addEventListener("connectionstatechange", () => {
        if (peer.connectionState === "connected") resolve();
        if (["failed", "closed"].includes(peer.connectionState)) reject(new Error("It failed."));
      });
    });
    // Whatever fails first is what counts.
    open.catch(() => {});
    await peer.setLocalDescription();
    const { sdp } = await this.#work.offer(peer.localDescription?.sdp ?? "", patience);
    patience.throwIfAborted();
    await peer.setRemoteDescription({ type: "answer", sdp });
    await open;
    peer.addEventListener("connectionstatechange", () => this.#shaken(peer));
  }

  #shaken(peer: RTCPeerConnection): void {
    if (peer !== this.#peer) return;
    if (["failed", "closed"].includes(peer.connectionState)) {
      this.#later();
    } else if (peer.connectionState === "disconnected") {
      setTimeout(() => {
        if (peer === this.#peer && peer.connectionState === "disconnected") this.#later();
      }, DISCONNECTED_LIMIT_MS);
    }
  }

  /** Whether anything comes; also at once when the page wakes. */
  async #look(): Promise<void> {
    const now_ms = performance.now();
    const slept = now_ms - this.#looked_at_ms > SILENCE_LIMIT_MS;
    this.#looked_at_ms = now_ms;
    const peer = this.#peer;
    if (this.#at === "away" && slept) this.again();
    if (this.#at !== "open" || !peer) return;
    const bytes = received_bytes(await peer.getStats());
    if (peer !== this.#peer || this.#at !== "open") return;
    if (bytes !== this.#received_bytes) {
      this.#received_bytes = bytes;
      this.#received_at_ms = performance.now();
    } else if (performance.now() - this.#received_at_ms > SILENCE_LIMIT_MS) {
      this.again();
    }
  }
}

function received_bytes(stats: RTCStatsReport): number {
  let bytes = 0;
  stats.forEach((one: RTCStats & { bytesReceived?: number }) => {
    if (one.type === "transport" || one.type === "candidate-pair") bytes += one.bytesReceived ?? 0;
  });
  return bytes;
}
