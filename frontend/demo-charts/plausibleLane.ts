// One lane of a made-up demo: messages at a steady pace, a path of 65 ms that loses
// some, and either bundles or retransmissions. No TCP is here.
// SPDX-License-Identifier: Apache-2.0

import { seeded } from "../seededNumbers";
import type {
  LaneFigures,
  LaneMoment,
  MessagePassage,
  PacketDeparture,
  PlayoutPassage,
} from "../src/api/generated";
import { distribution } from "./madeUpNumbers";

const ONE_WAY_MS = 65;
const PAYLOAD = 120;
const LOSS = 0.03;
const BUFFER_MS = 60;
const KNOWN_AFTER_MS = 6;

interface Known<What> {
  readonly at_ms: number;
  readonly what: What;
}

type News =
  | {
      readonly departure: Omit<PacketDeparture, "number">;
      readonly arrived_ms: number | null;
      readonly told_ms: number;
    }
  | { readonly message: MessagePassage }
  | { readonly passage: PlayoutPassage };

export class PlausibleLane {
  readonly #bundles: boolean;
  readonly #iat_ms: number;
  #random: () => number;
  #coming: Known<News>[] = [];
  #fates: Known<{ number: number; arrived_ms: number | null }>[] = [];
  #number = 0;
  #written = 0;
  #available_ms = 0;
  #cwnd = 10;
  #lost_before = false;
  #backoff_until_ms = 0;
  readonly #application_us: number[] = [];
  readonly #transport_us: number[] = [];
  #bundled = 0;

  constructor(bundles: boolean, iat_ms: number, seed: number) {
    this.#bundles = bundles;
    this.#iat_ms = iat_ms;
    this.#random = seeded(seed);
  }

  moment(at_ms: number): LaneMoment {
    while (this.#written * this.#iat_ms <= at_ms + 10) this.#write();
    this.#coming.sort((a, b) => a.at_ms - b.at_ms);
    const departures: PacketDeparture[] = [];
    const messages: MessagePassage[] = [];
    const passages: PlayoutPassage[] = [];
    while ((this.#coming[0]?.at_ms ?? Number.POSITIVE_INFINITY) <= at_ms - KNOWN_AFTER_MS) {
      const { what } = this.#coming.shift() as Known<News>;
      if ("departure" in what) {
        const number = ++this.#number;
        departures.push({ number, ...what.departure });
        this.#fates.push({ at_ms: what.told_ms, what: { number, arrived_ms: what.arrived_ms } });
      } else if ("message" in what) messages.push(what.message);
      else passages.push(what.passage);
    }
    const fates = this.#fates.filter((fate) => fate.at_ms <= at_ms - KNOWN_AFTER_MS);
    this.#fates = this.#fates.filter((fate) => fate.at_ms > at_ms - KNOWN_AFTER_MS);
    const late_ms = Math.max(0, this.#available_ms - at_ms);
    const backoff = at_ms < this.#backoff_until_ms ? 1 : 0;
    const figures = at_ms % 1000 === 0 ? this.#figures() : null;
    return {
      departures,
      fates: fates.map(({ what }) => what),
      messages,
      socket: {
        at_ms,
        snd_cwnd: Math.floor(this.#cwnd),
        in_flight: Math.round((2 * ONE_WAY_MS + Math.min(400, late_ms)) / this.#iat_ms),
        rto_ms: 340 * 2 ** backoff,
        backoff,
        rtt_ms: 2 * ONE_WAY_MS,
        unsent_bytes: 0,
        snd_ssthresh: 2 ** 31 - 1,
      },
      playout: {
        buffer_ms: Math.max(0, BUFFER_MS - late_ms + 8 * Math.sin(at_ms / 700)),
        target_ms: BUFFER_MS + ONE_WAY_MS,
        delay_ms: BUFFER_MS + ONE_WAY_MS,
        facts: {
          played_ms: at_ms,
          gaps: 3,
          concealed_ms: 120,
          longest_gap_ms: 80,
          stretched_ms: 40,
          compressed_ms: 30,
          dropped_ms: 0,
          delay_mean_ms: 60,
          delay_max_ms: 200,
        },
        passages,
      },
      ...(figures ? { whole: figures, last_minute: figures } : {}),
    };
  }

  #write(): void {
    const index = this.#written++;
    const sent_ms = index * this.#iat_ms;
    const start = index * PAYLOAD;
    const bundled = this.#bundles && index > 0;
    const carried = bundled ? PAYLOAD * Math.min(index, 1 + Math.floor(this.#random() * 4)) : 0;
    const chance = this.#random();
    if (!this.#bundles) this.#random();
    const lost = chance < LOSS && index > 5;
    const arrives_ms = sent_ms + ONE_WAY_MS + this.#random() * 0.4;
    this.#send(sent_ms, lost ? null : arrives_ms, {
      forward: true,
      kind: bundled ? "bundle" : "new",
      start: start - carried,
      end: start + PAYLOAD,
      ...(bundled ? { new_from: start } : {}),
    });
    if (bundled) this.#bundled += 1;
    let arrived_ms = arrives_ms;
    let recovery: MessagePassage["recovery"] = "none";
    if (lost && this.#bundles) {
      arrived_ms = arrives_ms + this.#iat_ms;
      recovery = "bundle";
    } else if (lost) {
      const timeout = chance < LOSS / 4;
      const repaired_ms = timeout ? sent_ms + 700 : sent_ms + 2 * ONE_WAY_MS + 3.2 * this.#iat_ms;
      recovery = timeout ? "timeout" : "fast";
      if (timeout) this.#backoff_until_ms = repaired_ms + 400;
      this.#cwnd = timeout ? 2 : this.#cwnd / 2;
      arrived_ms = repaired_ms + ONE_WAY_MS;
      this.#send(repaired_ms, arrived_ms, {
        forward: true,
        kind: "retransmission",
        cause: recovery,
        start,
        end: start + PAYLOAD,
      });
      this.#acknowledge(arrived_ms, start + PAYLOAD, false);
    }
    this.#cwnd = Math.min(40, Math.max(2, this.#cwnd + 0.05));
    const before_ms = this.#available_ms;
    this.#available_ms = Math.max(this.#available_ms, arrived_ms);
    if (!lost)
      this.#acknowledge(arrives_ms, start, this.#available_ms > arrives_ms || this.#lost_before);
    this.#lost_before = lost && !this.#bundles;
    const late_ms = this.#available_ms - sent_ms - ONE_WAY_MS - BUFFER_MS;
    if (this.#available_ms > before_ms + BUFFER_MS && late_ms > 0) this.#gap(before_ms, late_ms);
    this.#application_us.push(Math.round((this.#available_ms - sent_ms) * 1000));
    this.#transport_us.push(Math.round((arrived_ms - sent_ms) * 1000));
    this.#coming.push({
      at_ms: this.#available_ms,
      what: {
        message: {
          number: index,
          written_ms: sent_ms,
          sent_ms,
          arrived_ms,
          available_ms: this.#available_ms,
          recovery,
        },
      },
    });
  }

  #gap(from_ms: number, late_ms: number): void {
    const at_ms = from_ms + BUFFER_MS;
    const tell = (passage: PlayoutPassage) =>
      this.#coming.push({ at_ms: passage.at_ms, what: { passage } });
    tell({ kind: "concealed", at_ms, length_ms: Math.min(60, late_ms) });
    if (late_ms > 60) tell({ kind: "silent", at_ms: at_ms + 60, length_ms: late_ms - 60 });
    tell({ kind: "stretched", at_ms: Math.max(0, at_ms - 60), length_ms: 40 });
    tell({ kind: "compressed", at_ms: at_ms + late_ms + 80, length_ms: 60 });
    if (late_ms > 300) tell({ kind: "dropped", at_ms: at_ms + late_ms + 20, length_ms: 40 });
  }

  #acknowledge(at_ms: number, acknowledged: number, duplicate: boolean): void {
    const arrives_ms = at_ms + ONE_WAY_MS;
    this.#send(at_ms, this.#random() < LOSS / 3 ? null : arrives_ms, {
      forward: false,
      kind: "acknowledgement",
      start: 0,
      end: 0,
      acknowledged,
      ...(duplicate ? { duplicate, selective: true } : {}),
    });
  }

  #send(
    sent_ms: number,
    arrived_ms: number | null,
    packet: Omit<PacketDeparture, "number" | "sent_ms">,
  ): void {
    const departure = { ...packet, sent_ms };
    const told_ms = arrived_ms ?? sent_ms + ONE_WAY_MS + 2 * this.#iat_ms;
    this.#coming.push({ at_ms: sent_ms, what: { departure, arrived_ms, told_ms } });
  }

  #figures(): LaneFigures {
    const application = distribution(this.#application_us);
    const transport = distribution(this.#transport_us);
    const samples = this.#application_us;
    const later = (ms: number) =>
      samples.filter((us) => us > (ONE_WAY_MS + ms) * 1000).length / Math.max(1, samples.length);
    return {
      metrics: {
        packets: this.#written,
        payload_bytes: this.#written * PAYLOAD,
        unique_bytes: this.#written * PAYLOAD,
        delivered_bytes: this.#written * PAYLOAD,
        retransmitted_bytes: 0,
        retransmitted_packets: 0,
        retransmitted_share: 0,
        redundancy_share: 0,
        packet_payload_mean_bytes: PAYLOAD,
        lost_packets_forward: Math.round(this.#written * LOSS),
        lost_packets_backward: 0,
        loss_share_forward: LOSS,
        loss_share_backward: 0,
        iat_mean_ms: this.#iat_ms,
        transport: { per_byte: transport, per_message: transport },
        application: { per_byte: application, per_message: application },
      },
      copies: {
        bundle_packets: this.#bundled,
        bundled_bytes: this.#bundled * PAYLOAD,
        bundle_hit_bytes: 0,
        spurious_packets: 0,
        spurious_bytes: 0,
      },
      felt: {
        messages: samples.length,
        share_later_than_50_ms: later(50),
        share_later_than_100_ms: later(100),
        share_later_than_150_ms: later(150),
        share_later_than_400_ms: later(400),
        longest_stall_ms: 300,
        sojourn: application,
      },
    };
  }
}
