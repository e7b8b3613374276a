// What is kept of one lane for drawing: its last minutes, and the figures that
// the agent computed.
// SPDX-License-Identifier: Apache-2.0

import type {
  EchoPassage,
  LaneFigures,
  LaneMoment,
  MessagePassage,
  PacketDeparture,
  PlayoutFacts,
  PlayoutPassage,
  SocketState,
} from "../../api/generated";
import { Ring } from "./ring";

export const PACKETS_KEPT_MS = 2 * 60_000;
const KEPT_MS = 6 * 60_000;
// Against a stream much denser than those that are shown.
const MOST_PACKETS = 100_000;
const MOST_MESSAGES = 100_000;
const MOST_STATES = 20_000;
/** Both ends number together, so neighbours may be out of order by about this. */
const DISORDER_MS = 1_000;

export interface Packet extends PacketDeparture {
  /** undefined: not known yet; null: lost. */
  arrived_ms: number | null | undefined;
}

export interface BufferLevel {
  readonly at_ms: number;
  readonly buffer_ms: number;
  readonly target_ms: number;
  readonly delay_ms: number;
}

export interface Figures {
  readonly at_ms: number;
  readonly whole: LaneFigures;
  readonly last_minute: LaneFigures | null;
}

const numberOf = (item: { readonly number: number }) => item.number;

export class Lane {
  readonly packets = new Ring<Packet>(MOST_PACKETS);
  /** By number, which is the order of writing. */
  readonly messages = new Ring<MessagePassage>(MOST_MESSAGES);
  readonly echoes = new Ring<EchoPassage>(MOST_MESSAGES);
  readonly sockets = new Ring<SocketState>(MOST_STATES);
  readonly buffer = new Ring<BufferLevel>(MOST_STATES);
  readonly passages = new Ring<PlayoutPassage>(MOST_STATES);
  figures: Figures | null = null;
  playout: PlayoutFacts | null = null;
  readonly #flight_ms: { forward?: number; backward?: number } = {};

  /** The earliest instant at which something looks different now. */
  take(moment: LaneMoment, at_ms: number): number {
    let from_ms = at_ms;
    for (const departure of moment.departures ?? []) {
      this.packets.push({ ...departure, arrived_ms: undefined });
      from_ms = Math.min(from_ms, departure.sent_ms);
    }
    for (const { number, arrived_ms } of moment.fates ?? []) {
      const packet = this.packet(number);
      if (!packet) continue;
      packet.arrived_ms = arrived_ms ?? null;
      if (arrived_ms != null) {
        this.#flight_ms[packet.forward ? "forward" : "backward"] = arrived_ms - packet.sent_ms;
      }
      from_ms = Math.min(from_ms, packet.sent_ms);
    }
    for (const message of moment.messages ?? []) {
      this.messages.push(message);
      from_ms = Math.min(from_ms, message.written_ms);
    }
    for (const echo of moment.echoes ?? []) {
      this.echoes.push(echo);
      from_ms = Math.min(from_ms, echo.written_ms);
    }
    if (moment.socket) {
      this.sockets.push(moment.socket);
      from_ms = Math.min(from_ms, moment.socket.at_ms);
    }
    if (moment.playout) {
      const { buffer_ms, target_ms, delay_ms, facts, passages } = moment.playout;
      this.buffer.push({ at_ms, buffer_ms, target_ms, delay_ms });
      this.playout = facts;
      for (const passage of passages ?? []) {
        this.passages.push(passage);
        from_ms = Math.min(from_ms, passage.at_ms);
      }
    }
    if (moment.whole) {
      this.figures = { at_ms, whole: moment.whole, last_minute: moment.last_minute ?? null };
    }
    this.#forget(at_ms);
    return from_ms;
  }

  packet(number: number): Packet | undefined {
    // Numbers rise by one, so the first guess is right but for a gap in the feed.
    const guess = this.packets.at(number - (this.packets.first?.number ?? number));
    if (guess?.number === number) return guess;
    const found = this.packets.at(this.packets.lowerBound(numberOf, number));
    return found?.number === number ? found : undefined;
  }

  /** How long the last packet of a direction was under way, as far as is known. */
  flight_ms(forward: boolean): number | undefined {
    return this.#flight_ms[forward ? "forward" : "backward"];
  }

  /** Every packet that may be seen between two instants, by number. */
  *packetsBetween(from_ms: number, to_ms: number, longest_ms: number): Iterable<Packet> {
    const { packets } = this;
    let index = packets.lowerBound(({ sent_ms }) => sent_ms, from_ms - longest_ms - DISORDER_MS);
    for (let packet = packets.at(index); packet; packet = packets.at(index)) {
      if (packet.sent_ms > to_ms + DISORDER_MS) return;
      if (packet.sent_ms <= to_ms && (this.#endOf(packet) ?? to_ms) >= from_ms) yield packet;
      index += 1;
    }
  }

  /** A lost packet is not heard of for longer than another one takes. */
  #endOf({ sent_ms, arrived_ms, forward }: Packet): number | undefined {
    return arrived_ms === null ? sent_ms + (this.flight_ms(forward) ?? 0) : arrived_ms;
  }

  #forget(at_ms: number): void {
    const old_ms = at_ms - KEPT_MS;
    this.packets.dropWhile(({ sent_ms }) => sent_ms < at_ms - PACKETS_KEPT_MS);
    this.messages.dropWhile(({ written_ms }) => written_ms < old_ms);
    this.echoes.dropWhile(({ written_ms }) => written_ms < old_ms);
    for (const row of [this.sockets, this.buffer, this.passages]) {
      (row as Ring<{ readonly at_ms: number }>).dropWhile((item) => item.at_ms < old_ms);
    }
  }
}
