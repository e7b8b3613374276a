// A change is taken back by what was before it; what is on its way adds up.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { plausibleDirection as direction } from "../../../demo-charts/plausibleDirection";
import type { DemoState, LaneState } from "../../api/generated";
import type { Wish } from "./undoing";
import { inverseOf, wantedLane, wantedPath, wantedSynthetic } from "./undoing";

const path = (delay_ms: number) => ({ forward: direction(delay_ms), backward: direction(65) });
const lane = (lane: number, mechanisms: LaneState["mechanisms"]): LaneState => ({
  lane,
  letter: "AB"[lane] ?? "",
  name: lane === 0 ? "off" : "mine",
  named: lane === 1,
  baseline: "newreno2008",
  mechanisms,
  bundling: {},
  listeners: 0,
});
const state = {
  path: path(65),
  lanes: [lane(0, []), lane(1, ["bundling"])],
  stream: { kind: "synthetic", payload_bytes: 120, iat_ms: 140 },
} as unknown as DemoState;

test("path, lane and synthetic stream go back to what the kernel had", () => {
  expect(inverseOf({ do: "set_path", path: path(300) }, state)).toEqual({
    do: "set_path",
    path: path(65),
  });
  const off: Wish = {
    do: "set_lane",
    lane: 1,
    to: { name: "mine", baseline: "modern", mechanisms: [], bundling: {} },
  };
  expect(inverseOf(off, state)).toEqual({
    do: "set_lane",
    lane: 1,
    to: { name: "mine", baseline: "newreno2008", mechanisms: ["bundling"], bundling: {} },
  });
  expect(inverseOf({ do: "set_synthetic", payload_bytes: 10, iat_ms: 20 }, state)).toEqual({
    do: "set_synthetic",
    payload_bytes: 120,
    iat_ms: 140,
  });
});

test("a lane that nobody named stays without a name", () => {
  const on: Wish = {
    do: "set_lane",
    lane: 0,
    to: { name: null, baseline: "newreno2008", mechanisms: ["bundling"], bundling: {} },
  };
  expect(inverseOf(on, state)).toMatchObject({ to: { name: null, mechanisms: [], bundling: {} } });
});

test("a lane goes back to what its association was told, and to what the kernel does", () => {
  const off: Wish = {
    do: "set_lane",
    lane: 1,
    to: { name: "mine", baseline: "lksctp", mechanisms: [], sctp: { sack_delay_ms: 0 } },
  };
  for (const sack_delay_ms of [100, null]) {
    const over: LaneState = { ...lane(1, []), baseline: "lksctp", sctp: { sack_delay_ms } };
    const before = { ...state, lanes: [lane(0, []), over] };
    expect(inverseOf(off, before)).toMatchObject({ to: { sctp: { sack_delay_ms } } });
    expect(wantedLane(over, [off]).sctp).toEqual({ sack_delay_ms: 0 });
  }
});

test("what is no setting cannot be undone", () => {
  for (const wish of [
    { do: "mark", text: "here" },
    { do: "reveal" },
    { do: "listen", lane: 1 },
  ] as Wish[]) {
    expect(inverseOf(wish, state)).toBeNull();
  }
});

test("the newest of what is on its way is what is wanted, lane by lane", () => {
  const flip = (number: number, mechanisms: LaneState["mechanisms"]): Wish => ({
    do: "set_lane",
    lane: number,
    to: { name: null, baseline: "newreno2008", mechanisms },
  });
  const onItsWay: Wish[] = [
    flip(0, ["bundling"]),
    flip(1, []),
    flip(0, ["bundling", "linear_timeouts"]),
    { do: "set_path", path: path(100) },
  ];
  expect(wantedLane(lane(0, []), onItsWay).mechanisms).toEqual(["bundling", "linear_timeouts"]);
  expect(wantedLane(lane(1, ["bundling"]), onItsWay).mechanisms).toEqual([]);
  expect(wantedPath(state, onItsWay)).toEqual(path(100));
  expect(wantedPath(state, [])).toBe(state.path);
  const stream = { kind: "synthetic", payload_bytes: 1, iat_ms: 5 } as const;
  expect(wantedSynthetic(stream, onItsWay)).toBe(stream);
});
