// What is told of a take once it is over.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { DemoEvent, DemoTakeRecord } from "../api/generated";
import { changesIn, lanesOf } from "./takes";

const settings = { lanes: [{}, {}, {}] } as unknown as DemoTakeRecord["settings"];

test("lanes are called what the room saw, in the order of their letters", () => {
  expect(lanesOf({ settings, letters: "CAB" })).toEqual([
    { lane: 1, letter: "A" },
    { lane: 2, letter: "B" },
    { lane: 0, letter: "C" },
  ]);
  expect(lanesOf({ settings, letters: null }).map(({ lane }) => lane)).toEqual([0, 1, 2]);
});

test("a change of path, lane or pace inside a take is told, and nothing of another take", () => {
  const events = (["take", "path", "mark", "lane", "synthetic", "paused"] as const).flatMap(
    (kind) => [1, 2].map((take) => ({ take, kind, text: `${kind} ${take}` }) as DemoEvent),
  );
  expect(changesIn({ number: 2 }, events).map(({ text }) => text)).toEqual([
    "path 2",
    "lane 2",
    "synthetic 2",
  ]);
});
