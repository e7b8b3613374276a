// A packet in words, for who clicks it or comes to it by keys.
// SPDX-License-Identifier: Apache-2.0
import type { Packet } from "../feed/lane";
import { type DemoLane, titleOf } from "./lanes";
import { carriedBytes } from "./packetLook";

const KINDS: Readonly<Record<Packet["kind"], string>> = {
  control: "Opens or closes the connection",
  acknowledgement: "Acknowledgement",
  new: "New bytes",
  bundle: "Bundle",
  retransmission: "Retransmission",
};

const CAUSES: Readonly<Record<"fast" | "timeout", string>> = {
  fast: "after duplicate or selective acknowledgements",
  timeout: "after a timeout",
};

/** Name and value, in the order of reading. */
export function packetFacts(packet: Packet, name: DemoLane): [string, string][] {
  const { number, forward, kind, sent_ms, arrived_ms, start, end, cause } = packet;
  const bytes = end - start;
  const facts: [string, string][] = [
    ["Packet", `${number} of lane ${titleOf(name)}, ${forward ? "there" : "back"}`],
    [
      "Kind",
      kind === "retransmission" && cause ? `${KINDS[kind]} ${CAUSES[cause]}` : kindWords(packet),
    ],
    ["Left at", `${(sent_ms / 1000).toFixed(4)} s`],
    ["Fate", fateWords(sent_ms, arrived_ms)],
  ];
  if (bytes > 0) facts.push(["Payload", `${bytes} bytes, ${start} to ${end - 1} of the stream`]);
  if (kind === "bundle") {
    const carried = carriedBytes(packet);
    facts.push(["Carried again", `${carried} bytes in front of ${bytes - carried} new ones`]);
  }
  if (packet.acknowledged) facts.push(["Acknowledges", `up to byte ${packet.acknowledged}`]);
  return facts;
}

function kindWords({ kind, duplicate, selective }: Packet): string {
  if (kind !== "acknowledgement") return KINDS[kind];
  const also = selective ? " with SACK" : "";
  return duplicate ? `Duplicate acknowledgement${also}` : `${KINDS[kind]}${also}`;
}

function fateWords(sent_ms: number, arrived_ms: number | null | undefined): string {
  if (arrived_ms === undefined) return "not known yet";
  if (arrived_ms === null) return "lost at the emulator";
  return `arrived after ${(arrived_ms - sent_ms).toFixed(1)} ms`;
}

/** What the ladder shows, in one sentence that does not change by itself. */
export const ladderSentence = (lanes: readonly DemoLane[], sound: boolean): string => {
  const what = sound
    ? "Packets between sender, emulator and receiver, and the sound"
    : "Packets between sender, emulator and receiver";
  return `${what} of ${lanes.map(titleOf).join(", ")}`;
};
