import { expect, test } from "vitest";
import type { Packet } from "../feed/lane";
import { ladderSentence, packetFacts } from "./packetWords";

const lane = { lane: 1, letter: "B", name: "all" };
const packet: Packet = {
  number: 7,
  forward: true,
  kind: "new",
  sent_ms: 1234.5,
  start: 100,
  end: 220,
  arrived_ms: 1299.75,
};
const words = (change: Partial<Packet>) =>
  Object.fromEntries(packetFacts({ ...packet, ...change }, lane));

test("a packet that arrived", () => {
  expect(words({})).toEqual({
    Packet: "7 of lane B: all, there",
    Kind: "New bytes",
    "Left at": "1.2345 s",
    Fate: "arrived after 65.3 ms",
    Payload: "120 bytes, 100 to 219 of the stream",
  });
});

test("what a bundle carries again", () => {
  expect(words({ kind: "bundle", new_from: 180 })).toMatchObject({
    Kind: "Bundle",
    "Carried again": "80 bytes in front of 40 new ones",
  });
});

test("why something was sent again, and what became of it", () => {
  expect(words({ kind: "retransmission", cause: "timeout", arrived_ms: null })).toMatchObject({
    Kind: "Retransmission after a timeout",
    Fate: "lost at the emulator",
  });
  expect(words({ kind: "retransmission", cause: "fast", arrived_ms: undefined })).toMatchObject({
    Kind: "Retransmission after duplicate or selective acknowledgements",
    Fate: "not known yet",
  });
});

test("acknowledgements", () => {
  const empty = { forward: false, kind: "acknowledgement", start: 0, end: 0 } as const;
  expect(words({ ...empty, acknowledged: 500 })).toMatchObject({
    Packet: "7 of lane B: all, back",
    Kind: "Acknowledgement",
    Acknowledges: "up to byte 500",
  });
  expect(words({ ...empty, duplicate: true, selective: true }).Kind).toBe(
    "Duplicate acknowledgement with SACK",
  );
  expect(words(empty)).not.toHaveProperty("Payload");
});

test("the ladder in one sentence", () => {
  expect(ladderSentence([{ lane: 0, letter: "A", name: "A" }, lane], false)).toBe(
    "Packets between sender, emulator and receiver of A, B: all",
  );
});
