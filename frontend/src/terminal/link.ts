// A link: two directions of numbered messages that survive loss, reordering and
// reconnects. A pure machine, as `backend/thinlab/live/link.py` is: it is told
// what arrives and what time it is, and tells what to send and when to ask again.
// On an unreliable transport each new message takes along those before it that
// are not acknowledged, as far as they fit into one datagram; on a reliable one
// nothing is sent twice. Copies must never be what keeps a busy machine busy: `link.py`
// says how they are bounded.
// SPDX-License-Identifier: Apache-2.0

/** Fits into one packet of any path beneath SCTP, DTLS, UDP and IPv6's least MTU of 1280. */
const DATAGRAM_BYTES = 1_100;
/** Below the server's limit of a frame, which is also one of the messages in it. */
const STREAM_FRAME_BYTES = 16 * 1024;
const FRAME_MESSAGES = 256;
const LEAST_TIMEOUT_MS = 60;
const FIRST_TIMEOUT_MS = 200;
/** As far as backing off goes; a round trip may be longer. */
const LONGEST_BACKOFF_MS = 1_000;
const TIMEOUT_RTTS = 1.5;
/** As the kernel's linear timeouts: so many without back-off. */
const LINEAR_REPEATS = 6;
/** How often newer messages take one along. */
const COPIES = 3;
/** What is new leaves in so many datagrams at once at most. */
const FRAMES_AT_ONCE = 8;
const UNACKNOWLEDGED_LIMIT = 2_048;
/** What overtook a missing message is kept, so many at most. */
const AHEAD_LIMIT = 4_096;
const RTT_GAIN = 1 / 8;
/** Up sooner than down: what is sent again for nothing costs more than what is repaired late. */
const RTT_GAIN_UP = 1 / 4;
/** An outage tells little of the round trip after it. */
const LONGEST_SAMPLE_MS = 2_000;

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
  /** On this transport; null where an older one carried it: an answer may be to that. */
  firstSentAt_ms: number | null;
  /** Whether an older transport carried it. */
  isOld: boolean;
  /** How often a timeout or a reconnect sent it again. */
  repeats: number;
  /** How often newer messages took it along. */
  copies: number;
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
  #repeatsFrom_ms = 0;
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
    this.#repeatsFrom_ms = 0;
    for (const kept of this.#kept) {
      if (kept.sentAt_ms !== null) {
        kept.isOld = true;
        kept.repeats += 1;
      }
      kept.sentAt_ms = null;
      kept.firstSentAt_ms = null;
      kept.copies = 0;
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
    this.#kept.push({
      message,
      size_bytes,
      sentAt_ms: null,
      firstSentAt_ms: null,
      isOld: false,
      repeats: 0,
      copies: 0,
    });
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
    return due.length > 0 ? Math.max(Math.min(...due), this.#repeatsFrom_ms) : null;
  }

  /** What is to be sent now; not to be asked for while the transport is full. */
  frames(now_ms: number): Frame<Sent>[] {
    if (this.#transport === "none") return [];
    const frames = this.#runsDue(now_ms).map((run) => this.#frame(run));
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
    // It gets through: what else is late need not wait for another timeout.
    if (ack > this.#acknowledged) this.#repeatsFrom_ms = 0;
    while (this.#acknowledged < ack) {
      const kept = this.#kept.shift();
      if (!kept) return;
      this.#acknowledged += 1;
      // Bundles carry a message again, but acknowledge what is newer, too.
      if (this.#acknowledged === ack && kept.firstSentAt_ms !== null) {
        this.#sample(Math.min(now_ms - kept.firstSentAt_ms, LONGEST_SAMPLE_MS));
      }
    }
  }

  /** Too long where only a copy arrived: that is rare, or the path is full. */
  #sample(rtt_ms: number): void {
    const before_ms = this.srtt_ms ?? rtt_ms;
    const gain = rtt_ms > before_ms ? RTT_GAIN_UP : RTT_GAIN;
    this.srtt_ms = before_ms + gain * (rtt_ms - before_ms);
  }

  get #timeout_ms(): number {
    const timeout_ms = this.srtt_ms === null ? FIRST_TIMEOUT_MS : TIMEOUT_RTTS * this.srtt_ms;
    return Math.max(timeout_ms, LEAST_TIMEOUT_MS);
  }

  #due_ms({ sentAt_ms, repeats }: Kept<Sent>): number {
    const backoff = 2 ** Math.min(Math.max(repeats - LINEAR_REPEATS, 0), 10);
    const backedOff_ms = Math.min(this.#timeout_ms * backoff, LONGEST_BACKOFF_MS);
    return (sentAt_ms ?? 0) + Math.max(backedOff_ms, this.#timeout_ms);
  }

  /** Which messages each frame begins and ends with. */
  #runsDue(now_ms: number): Run[] {
    const lossy = this.#transport === "lossy";
    const limit_bytes = lossy ? DATAGRAM_BYTES : STREAM_FRAME_BYTES;
    const again = lossy ? this.#again(now_ms) : [];
    const fresh = this.#runs(
      this.#places((kept) => !isSent(kept)),
      limit_bytes,
    ).slice(0, lossy ? FRAMES_AT_ONCE : undefined);
    for (const { start, stop } of again) {
      for (const kept of this.#kept.slice(start, stop)) kept.repeats += 1;
    }
    // A copy in a bundle does not put off the timeout of what it repeats.
    for (const { start, stop } of [...again, ...fresh]) {
      for (const kept of this.#kept.slice(start, stop)) {
        kept.sentAt_ms = now_ms;
        if (!kept.isOld) kept.firstSentAt_ms ??= now_ms;
      }
    }
    return [...again, ...(lossy ? fresh.map((run) => this.#bundled(run)) : fresh)];
  }

  /** The oldest that are late, as many as one datagram holds. */
  #again(now_ms: number): Run[] {
    if (now_ms < this.#repeatsFrom_ms) return [];
    const late = this.#places((kept) => isSent(kept) && this.#due_ms(kept) <= now_ms);
    if (late.length > 0) this.#repeatsFrom_ms = now_ms + this.#timeout_ms;
    return this.#runs(late, DATAGRAM_BYTES).slice(0, 1);
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

  /** The run, with as many messages before it as fit and may be copied. */
  #bundled({ start, stop }: Run): Run {
    let room_bytes = DATAGRAM_BYTES;
    for (const kept of this.#kept.slice(start, stop)) room_bytes -= kept.size_bytes;
    let from = start;
    while (from > 0) {
      const before = this.#kept[from - 1];
      if (!before || before.copies >= COPIES) break;
      room_bytes -= before.size_bytes;
      if (room_bytes < 0) break;
      before.copies += 1;
      from -= 1;
    }
    return { start: from, stop };
  }

  #frame({ start, stop }: Run): Frame<Sent> {
    const messages = this.#kept.slice(start, stop).map(({ message }) => message);
    return { ack: this.#received, first: this.#acknowledged + 1 + start, messages };
  }
}

const isSent = ({ sentAt_ms }: { readonly sentAt_ms: number | null }): boolean =>
  sentAt_ms !== null;
