// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { BaselineOption, DemoLane, MechanismOption, ModeOption } from "../../api/generated";
import { flipped, mechanismsOf, modesOf, onBaseline, protocolOf, sackDelayOf } from "./senders";

const there = { available: true, reason: "" };
const BASELINES: BaselineOption[] = [
  { ...there, name: "modern", title: "Modern", protocol: "tcp" },
  { ...there, name: "lksctp", title: "SCTP", protocol: "sctp" },
];
const MECHANISMS: MechanismOption[] = [
  { ...there, name: "bundling", title: "Bundling", protocols: ["sctp", "tcp"] },
  { ...there, name: "early_probe", title: "Early probe", protocols: ["tcp"] },
  { ...there, name: "short_min_rto", title: "Short minimum RTO", protocols: ["sctp"] },
];
const MODES: ModeOption[] = [
  { name: "off", title: "Off", mechanisms: [] },
  { name: "all", title: "All", mechanisms: ["bundling"] },
  { name: "recommended", title: "Recommended", mechanisms: ["bundling", "early_probe"] },
  { name: "all_of_sctp", title: "All of SCTP", mechanisms: ["bundling", "short_min_rto"] },
];
const names = (of: readonly { readonly name: string }[]) => of.map(({ name }) => name);

test("a lane has the mechanisms, and the modes of its protocol", () => {
  const tcp = mechanismsOf("modern", BASELINES, MECHANISMS);
  const sctp = mechanismsOf("lksctp", BASELINES, MECHANISMS);
  expect(names(tcp)).toEqual(["bundling", "early_probe"]);
  expect(names(sctp)).toEqual(["bundling", "short_min_rto"]);
  expect(names(modesOf(tcp, MODES))).toEqual(["off", "all", "recommended"]);
  expect(names(modesOf(sctp, MODES))).toEqual(["off", "all", "all_of_sctp"]);
  expect(protocolOf("modern", BASELINES)).toBe("tcp");
  expect(protocolOf("lksctp", BASELINES)).toBe("sctp");
});

test("another protocol keeps of the mechanisms what it has", () => {
  const lane: DemoLane = {
    name: null,
    baseline: "modern",
    mechanisms: ["bundling", "early_probe"],
  };
  expect(onBaseline(lane, "lksctp", BASELINES, MECHANISMS)).toEqual({
    name: null,
    baseline: "lksctp",
    mechanisms: ["bundling"],
  });
});

test("a mechanism comes and goes with what it is of no use without", () => {
  expect(flipped(["bundling"], "tcp_lite")).toEqual(["bundling", "tcp_lite"]);
  expect(flipped(["bundling"], "header_checksum")).toEqual([
    "bundling",
    "tcp_lite",
    "header_checksum",
  ]);
  const both = ["tcp_lite", "header_checksum"] as const;
  expect(flipped(both, "header_checksum")).toEqual(["tcp_lite"]);
  expect(flipped(both, "tcp_lite")).toEqual([]);
});

test("a SACK is delayed as the kernel has it, not at all, or by a number", () => {
  expect(sackDelayOf({})).toBe("kernel");
  expect(sackDelayOf({ sctp: { sack_delay_ms: null } })).toBe("kernel");
  expect(sackDelayOf({ sctp: { sack_delay_ms: 0 } })).toBe("none");
  // The kernel's own, once it was asked for by its number, stays a number.
  expect(sackDelayOf({ sctp: { sack_delay_ms: 200 } })).toBe("own");
});
