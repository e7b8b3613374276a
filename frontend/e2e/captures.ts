// What carried the packets of a capture, read from the file itself.
// SPDX-License-Identifier: Apache-2.0
import { expect, type Page } from "@playwright/test";
import { stack } from "./stack.ts";

/** A block of pcapng with a packet, and what lies in it before the packet's own bytes. */
const PACKET = 6;
const PACKET_HEAD_BYTES = 28;
/** In a packet with headers of Ethernet and IPv4. */
const PROTOCOL_AT = 14 + 9;
const NAMES: Readonly<Record<number, string>> = { 6: "tcp", 132: "sctp" };

/** The protocols of a typing session's packets, each once; `desk` is signed in. */
export async function protocolsOf(desk: Page, session: string): Promise<string[]> {
  const answer = await desk.request.get(
    `${stack().url}/api/researcher/typing-sessions/${session}/captures/sender.pcapng`,
  );
  expect(answer.status()).toBe(200);
  const file = await answer.body();
  const found = new Set<number>();
  for (let at = 0; at < file.length; at += file.readUInt32LE(at + 4)) {
    if (file.readUInt32LE(at) !== PACKET) continue;
    found.add(file.readUInt8(at + PACKET_HEAD_BYTES + PROTOCOL_AT));
  }
  return [...found].map((number) => NAMES[number] ?? String(number)).toSorted();
}
