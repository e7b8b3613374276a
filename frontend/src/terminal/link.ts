// A link: two directions of numbered messages that survive loss, reordering and
// reconnects. A pure machine, as `backend/thinlab/live/link.py` is: it is told
// what arrives and what time it is, and tells what to send and when to ask again.
// On an unreliable transport each new message takes along those before it that
// are not acknowledged, as far as they fit into one datagram; on a reliable one
// nothing is sent twice.
// SPDX-License-Identifier: Apache-2.0

/** Fits into one packet of any path beneath SCTP, DTLS, UDP and IPv6's least MTU of 1280. */
const DATAGRAM_BYTES = 1_100;
/** Below the server's limit of a frame, which is also one of the messages in it. */
const STREAM_FRAME_BYTES = 16 * 1024;
const FRAME_MESSAGES = 256;
const LEAST_TIMEOUT_MS = 60;
const FIRST_TIMEOUT_MS = 200;
const LONGEST_TIMEOUT_MS = 1_000;
const TIMEOUT_RTTS = 1.5;
/** As the kernel's linear timeouts: so many without back-off. */
const LINEAR_REPEATS = 6;
const FRAMES_A_TIMEOUT = 8;
const UNACKNOWLEDGED_LIMIT = 2_048;
/** What overtook a missing message is kept, so many at most. */
const AHEAD_LIMIT = 4_096;
const RTT_GAIN = 1 / 8;

const bytes = new TextEncoder();

/** More is unacknowledged than a link may hold. */
export class Overrun extends Error {}

/** What is sent at once: an acknowledgement, and messages numbered from `first`. */
export interface Frame<Message> {
  readonly ack: number;
  readonly first: number;
  readonly messages: readonly Message[];
}

interface Kept<Message> {
  readonly message: Message;
  readonly size_bytes: number;
  /** On this transport; null: not yet. */
  sentAt_ms: number | null;
  /** How often a timeout or a reconnect sent it again. */
  repeats: number;
}

/** From one place among the kept messages up to, not including, another. */
interface Run {
  readonly start: number;
  readonly stop: number;
}

/** One side of a link. */
export class Link<Sent, Received> {
  /** Smoothed round trip of this transport; null before the first sample. */
  srtt_ms: number | null = null;
  readonly #kept: Kept<Sent>[] = [];
  readonly #ahead = new Map<number, Received>();
  #acknowledged = 0;
  #received = 0;
  #owesAck = false;
  #transport: "none" | "lossy" | "reliable" = "none";

  /** Messages that the other side has not acknowledged. */
  get unacknowledged(): number {
    return this.#kept.length;
  }

  /** A new transport: what is unacknowledged is to be sent over it. */
  attach(transport: "lossy" | "reliable"): void {
    this.#transport = transport;
    this.#owesAck = true;
    this.srtt_ms = null;
    for (const kept of this.#kept) {
      // An answer may be to what the old transport carried: no sample of this one.
      if (kept.sentAt_ms !== null) kept.repeats += 1;
      kept.sentAt_ms = null;
    }
  }

  /** The transport is gone; what is unacknowledged waits for the next one. */
  detach(): void {
    this.#transport = "none";
  }

  /** Takes a message to be sent.
   * @throws Overrun when the other side has not acknowledged for too long. */
  send(message: Sent): void {
    if (this.#kept.length >= UNACKNOWLEDGED_LIMIT) throw new Overrun("The link holds no more.");
    const size_bytes = bytes.encode(JSON.stringify(message)).length + 1;
    this.#kept.push({ message, size_bytes, sentAt_ms: null, repeats: 0 });
  }

  /** A frame came; returns the messages that are next in order. */
  receive({ ack, first, messages }: Frame<Received>, now_ms: number): Received[] {
    this.#takeAck(ack, now_ms);
    messages.forEach((message, place) => {
      const number = first + place;
      const isNear = number > this.#received && number <= this.#received + AHEAD_LIMIT;
      if (isNear && !this.#ahead.has(number)) this.#ahead.set(number, message);
    });
    // A duplicate, too, is answered: it came because our acknowledgement did not arrive.
    this.#owesAck ||= messages.length > 0;
    const delivered: Received[] = [];
    for (;;) {
      const next = this.#received + 1;
      const message = this.#ahead.get(next);
      if (message === undefined) return delivered;
      this.#ahead.delete(next);
      this.#received = next;
      delivered.push(message);
    }
  }

  /** When `frames` has something to send again; null: not before anything happens. */
  dueAt_ms(): number | null {
    if (this.#transport !== "lossy") return null;
    const due = this.#kept.filter(isSent).map((kept) => this.#due_ms(kept));
    return due.length > 0 ? Math.min(...due) : null;
  }

  /** What is to be sent now. */
  frames(now_ms: number): Frame<Sent>[] {
    if (this.#transport === "none") return [];
    const frames = this.#runsDue(now_ms).map((run) => this.#frame(run, now_ms));
    if (frames.length === 0 && this.#owesAck) frames.push(this.bare());
    this.#owesAck = false;
    return frames;
  }

  /** A frame that acknowledges and carries nothing. */
  bare(): Frame<Sent> {
    return { ack: this.#received, first: this.#acknowledged + 1, messages: [] };
  }

  #takeAck(ack: number, now_ms: number): void {
    // Whoever acknowledges what was never sent is not on this link: nothing is let go for it.
    if (ack > this.#acknowledged + this.#kept.length) return;
    while (this.#acknowledged < ack) {
      const kept = this.#kept.shift();
      if (!kept) return;
      this.#acknowledged += 1;
      // Bundles carry a message again, but acknowledge what is newer, too.
      if (this.#acknowledged === ack && kept.repeats === 0 && kept.sentAt_ms !== null) {
        this.#sample(now_ms - kept.sentAt_ms);
      }
    }
  }

  #sample(rtt_ms: number): void {
    this.srtt_ms =
      this.srtt_ms === null ? rtt_ms : this.srtt_ms + RTT_GAIN * (rtt_ms - this.srtt_ms);
  }

  #due_ms({ sentAt_ms, repeats }: Kept<Sent>): number {
    const timeout_ms = this.srtt_ms === null ? FIRST_TIMEOUT_MS : TIMEOUT_RTTS * this.srtt_ms;
    const backoff = 2 ** Math.min(Math.max(repeats - LINEAR_REPEATS, 0), 10);
    const wait_ms = Math.max(timeout_ms, LEAST_TIMEOUT_MS) * backoff;
    return (sentAt_ms ?? 0) + Math.min(wait_ms, LONGEST_TIMEOUT_MS);
  }

  /** Which messages each frame begins and ends with. */
  #runsDue(now_ms: number): Run[] {
    const lossy = this.#transport === "lossy";
    const limit_bytes = lossy ? DATAGRAM_BYTES : STREAM_FRAME_BYTES;
    const again = lossy ? this.#places((kept) => isSent(kept) && this.#due_ms(kept) <= now_ms) : [];
    const repeated = this.#runs(again, limit_bytes).slice(0, FRAMES_A_TIMEOUT);
    for (const { start, stop } of repeated) {
      for (const kept of this.#kept.slice(start, stop)) kept.repeats += 1;
    }
    const fresh = this.#runs(
      this.#places((kept) => !isSent(kept)),
      limit_bytes,
    );
    return [...repeated, ...(lossy ? fresh.map((run) => this.#bundled(run)) : fresh)];
  }

  #places(which: (kept: Kept<Sent>) => boolean): number[] {
    return this.#kept.flatMap((kept, place) => (which(kept) ? [place] : []));
  }

  /** Neighbouring places together, as far as they fit into a frame; each at least alone. */
  #runs(places: readonly number[], limit_bytes: number): Run[] {
    const runs: Run[] = [];
    let size_bytes = 0;
    for (const place of places) {
      const own_bytes = this.#kept[place]?.size_bytes ?? 0;
      size_bytes += own_bytes;
      const last = runs.at(-1);
      const fits = size_bytes <= limit_bytes && place - (last?.start ?? 0) < FRAME_MESSAGES;
      if (last && last.stop === place && fits) {
        runs[runs.length - 1] = { start: last.start, stop: place + 1 };
      } else {
        runs.push({ start: place, stop: place + 1 });
        size_bytes = own_bytes;
      }
    }
    return runs;
  }

  /** The run, with as many messages before it as fit. */
  #bundled({ start, stop }: Run): Run {
    let room_bytes = DATAGRAM_BYTES;
    for (const kept of this.#kept.slice(start, stop)) room_bytes -= kept.size_bytes;
    let from = start;
    while (from > 0) {
      room_bytes -= this.#kept[from - 1]?.size_bytes ?? 0;
      if (room_bytes < 0) break;
      from -= 1;
    }
    return { start: from, stop };
  }

  #frame({ start, stop }: Run, now_ms: number): Frame<Sent> {
    const run = this.#kept.slice(start, stop);
    for (const kept of run) {
      // A copy in a bundle does not put off the timeout of what it repeats.
      if (!isSent(kept) || this.#due_ms(kept) <= now_ms) kept.sentAt_ms = now_ms;
    }
    const first = this.#acknowledged + 1 + start;
    return { ack: this.#received, first, messages: run.map(({ message }) => message) };
  }
}

const isSent = ({ sentAt_ms }: { readonly sentAt_ms: number | null }): boolean =>
  sentAt_ms !== null;
