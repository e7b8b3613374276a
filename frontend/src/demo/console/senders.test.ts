// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { BaselineOption, DemoLane, MechanismOption, ModeOption } from "../../api/generated";
import { flipped, hasBundlingsSettings, mechanismsOf, modesOf, onBaseline } from "./senders";

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
];
const names = (of: readonly { readonly name: string }[]) => of.map(({ name }) => name);

test("a lane has the mechanisms, the modes and the settings of its protocol", () => {
  const tcp = mechanismsOf("modern", BASELINES, MECHANISMS);
  const sctp = mechanismsOf("lksctp", BASELINES, MECHANISMS);
  expect(names(tcp)).toEqual(["bundling", "early_probe"]);
  expect(names(sctp)).toEqual(["bundling", "short_min_rto"]);
  expect(names(modesOf(tcp, MODES))).toEqual(["off", "all", "recommended"]);
  expect(names(modesOf(sctp, MODES))).toEqual(["off", "all"]);
  expect(hasBundlingsSettings("modern", BASELINES)).toBe(true);
  expect(hasBundlingsSettings("lksctp", BASELINES)).toBe(false);
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
