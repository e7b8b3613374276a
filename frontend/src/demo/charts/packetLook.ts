// What each kind of packet looks like: colour, shape and line all say the same,
// so that any one of them is enough.
// SPDX-License-Identifier: Apache-2.0

import type { MarkShape } from "../../charts/pen";
import type { Packet } from "../feed/lane";
import type { ColourName } from "./palette";

export type PacketLook =
  | "new"
  | "bundle"
  | "fast"
  | "timeout"
  | "acknowledgement"
  | "duplicate"
  | "selective"
  | "control";

export interface Look {
  readonly name: string;
  readonly colour: ColourName;
  readonly width: number;
  readonly dash: readonly number[];
  readonly shape: MarkShape | null;
  readonly faint?: boolean;
}

/** In the order of drawing: what matters most comes last, on top. */
export const LOOKS: Readonly<Record<PacketLook, Look>> = {
  acknowledgement: {
    name: "Acknowledgement",
    colour: "packetAcknowledgement",
    width: 0.8,
    dash: [],
    shape: null,
    faint: true,
  },
  control: {
    name: "Opens or closes",
    colour: "packetAcknowledgement",
    width: 1,
    dash: [2, 3],
    shape: "bar",
  },
  duplicate: {
    name: "Duplicate acknowledgement",
    colour: "packetDuplicate",
    width: 1.2,
    dash: [],
    shape: "down",
  },
  selective: {
    name: "Acknowledgement with SACK",
    colour: "packetSelective",
    width: 1.2,
    dash: [],
    shape: "downDotted",
  },
  new: { name: "New bytes", colour: "packetNew", width: 1.3, dash: [], shape: "circle" },
  bundle: {
    name: "Bundle; the bar: old payload it carries",
    colour: "packetBundle",
    width: 2,
    dash: [],
    shape: "square",
  },
  fast: {
    name: "Fast retransmission",
    colour: "packetFast",
    width: 2.4,
    dash: [],
    shape: "diamond",
  },
  timeout: {
    name: "Retransmission by timeout",
    colour: "packetTimeout",
    width: 2.4,
    dash: [9, 3],
    shape: "triangle",
  },
};

/** Of a packet that does not arrive, whichever kind it is. */
export const LOST_DASH: readonly number[] = [4, 3];

export const LOOK_NAMES = Object.keys(LOOKS) as PacketLook[];

export function lookOfPacket(packet: Packet): PacketLook {
  switch (packet.kind) {
    case "retransmission":
      return packet.cause === "fast" ? "fast" : "timeout";
    case "acknowledgement":
      if (packet.selective) return "selective";
      return packet.duplicate ? "duplicate" : "acknowledgement";
    default:
      return packet.kind;
  }
}

/** Payload sent before that a packet carries in front of new payload. */
export const carriedBytes = ({ kind, start, new_from }: Packet): number =>
  kind === "bundle" ? Math.max(0, (new_from ?? start) - start) : 0;
