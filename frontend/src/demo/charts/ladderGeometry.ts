// Where in the ladder a packet is: rails, lines, who is nearest to a point, who
// comes next. Pure.
// SPDX-License-Identifier: Apache-2.0

import type { Size } from "../../charts/pen";
import type { Lane, Packet } from "../feed/lane";
import { FOOT_PX } from "./drawEvents";
import type { DemoLane } from "./lanes";
import { type Stretch, xOf } from "./stretch";

/** Where the labels of events stand. */
export const HEAD_PX = 20;
const PACKETS_PX = 126;
/** With what the receiver made of the packets right beneath them. */
const SOUND_PX = 36;
const SOUND_ROW_PX = 30;
/** Queues of seconds are longer than anything else that delays a packet. */
export const LONGEST_FLIGHT_MS = 3_000;
/** While nothing has arrived yet. */
const FIRST_FLIGHT_MS = 100;
const NEAR_PX = 9;

/** Of one lane; with a row of sound where the stream is one that is heard. */
export const laneHeight = (sound: boolean): number => PACKETS_PX + (sound ? SOUND_PX : 0);

export const ladderHeight = (lanes: number, sound: boolean): number =>
  HEAD_PX + lanes * laneHeight(sound) + FOOT_PX;

export interface Row {
  readonly top: number;
  readonly bottom: number;
}

export interface Rails {
  readonly top: number;
  readonly sender: number;
  readonly emulator: number;
  readonly receiver: number;
  readonly sound: Row;
}

/** Of the lane that stands at a place, counted from the top. */
export function railsOf(place: number, sound: boolean): Rails {
  const top = HEAD_PX + place * laneHeight(sound);
  const sender = top + 42;
  const receiver = top + PACKETS_PX - 12;
  const bottom = top + PACKETS_PX + SOUND_ROW_PX;
  return {
    top,
    sender,
    emulator: (sender + receiver) / 2,
    receiver,
    sound: { top: bottom - SOUND_ROW_PX, bottom },
  };
}

export interface Line {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly outcome: "under way" | "arrived" | "lost";
}

/** A packet's line as far as it has come; null: not sent yet. A lost one ends at the
 * emulator. Of one whose fate is not known yet, the pace of the last one is supposed. */
export function lineOf(packet: Packet, lane: Lane, rails: Rails, stretch: Stretch): Line | null {
  const { sent_ms, arrived_ms, forward } = packet;
  const { now_ms } = stretch;
  if (sent_ms > now_ms) return null;
  const supposed_ms = lane.flight_ms(forward) ?? FIRST_FLIGHT_MS;
  const flight_ms = Math.max(1e-3, (arrived_ms ?? sent_ms + supposed_ms) - sent_ms);
  const reach = arrived_ms === null ? 0.5 : arrived_ms === undefined ? 0.97 : 1;
  const come = Math.min(reach, (now_ms - sent_ms) / flight_ms);
  const [from, to] = forward ? [rails.sender, rails.receiver] : [rails.receiver, rails.sender];
  return {
    x1: xOf(sent_ms, stretch),
    y1: from,
    x2: xOf(sent_ms + come * flight_ms, stretch),
    y2: from + come * (to - from),
    outcome:
      come < reach || arrived_ms === undefined
        ? "under way"
        : arrived_ms === null
          ? "lost"
          : "arrived",
  };
}

/** The packet whose line is nearest to a point; null: none is near. */
export function packetAt(
  lanes: readonly (readonly [DemoLane, Lane])[],
  x: number,
  y: number,
  stretch: Stretch,
  sound: boolean,
): { lane: number; number: number } | null {
  const place = Math.floor((y - HEAD_PX) / laneHeight(sound));
  const shown = lanes[place];
  if (!shown) return null;
  const [{ lane: number }, lane] = shown;
  const rails = railsOf(place, sound);
  let found: { lane: number; number: number } | null = null;
  let nearest = NEAR_PX;
  for (const packet of lane.packetsBetween(stretch.from_ms, stretch.to_ms, LONGEST_FLIGHT_MS)) {
    const line = lineOf(packet, lane, rails, stretch);
    if (!line) continue;
    // Data before acknowledgements where both are near.
    const distance = distanceTo(line, x, y) + (packet.kind === "acknowledgement" ? 2 : 0);
    if (distance >= nearest) continue;
    nearest = distance;
    found = { lane: number, number: packet.number };
  }
  return found;
}

function distanceTo({ x1, y1, x2, y2 }: Line, x: number, y: number): number {
  const [dx, dy] = [x2 - x1, y2 - y1];
  const along = dx || dy ? ((x - x1) * dx + (y - y1) * dy) / (dx * dx + dy * dy) : 0;
  const inside = Math.min(1, Math.max(0, along));
  return Math.hypot(x - x1 - inside * dx, y - y1 - inside * dy);
}

export type PacketMove = "previous" | "next" | "first" | "last";

/** Where an arrow key leads from a packet: along its lane, in the order of leaving. */
export function packetFrom(
  lane: Lane,
  from: number | null,
  move: PacketMove,
  stretch: Stretch,
): Packet | undefined {
  const { packets } = lane;
  const earliest = packets.lowerBound(({ sent_ms }) => sent_ms, stretch.from_ms);
  const latest = packets.lowerBound(({ sent_ms }) => sent_ms, stretch.now_ms) - 1;
  if (move === "first") return packets.at(earliest);
  if (move === "last" || from === null) return packets.at(latest);
  const index = packets.lowerBound(({ number }) => number, from);
  return packets.at(Math.min(latest, Math.max(0, index + (move === "next" ? 1 : -1))));
}

/** The packet of a lane that left at about an instant. */
export function packetNear(lane: Lane, at_ms: number): Packet | undefined {
  const index = lane.packets.lowerBound(({ sent_ms }) => sent_ms, at_ms);
  return lane.packets.at(Math.min(index, lane.packets.length - 1));
}

export const ladderStretch = (size: Size, now_ms: number, shown_ms: number): Stretch => ({
  from_ms: now_ms - shown_ms,
  to_ms: now_ms,
  px_per_ms: size.width / shown_ms,
  now_ms,
});
