// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { DemoSettings, DemoState } from "../../api/generated";
import { isSetUp } from "./setUps";

const path = { forward: { delay_ms: 70 }, backward: { delay_ms: 70 } };
const lanes = [
  { name: "TCP Lite", baseline: "modern", mechanisms: ["tcp_lite", "header_checksum"] },
  { name: null, baseline: "udp", mechanisms: [] },
];
const stream = { kind: "clip", clip: "speech", codec: "g711" };
const settings = { path, lanes, stream } as unknown as DemoSettings;
const running = (changes: object) =>
  ({
    path,
    lanes: [
      { ...lanes[0], lane: 0, mechanisms: ["header_checksum", "tcp_lite"] },
      { ...lanes[1], lane: 1 },
    ],
    stream,
    ...changes,
  }) as unknown as DemoState;

test("a demo is as a set-up has it until path, stream or a sender is another", () => {
  expect(isSetUp(running({}), settings)).toBe(true);
  for (const changes of [
    { path: { ...path, backward: { delay_ms: 10 } } },
    { stream: { ...stream, codec: "opus" } },
    { lanes },
    { lanes: lanes.slice(0, 1) },
    { lanes: [lanes[0], { ...lanes[1], baseline: "udp_lite" }] },
    { lanes: [lanes[0], { ...lanes[1], sctp: { sack_delay_ms: 0 } }] },
  ]) {
    const same = "lanes" in changes && changes.lanes === lanes;
    expect(isSetUp(running(changes), settings), JSON.stringify(changes)).toBe(same);
  }
});
