// What is heard of a replay, rendered by Chromium sample by sample.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { click_dbfs, differsAt, RAMP } from "../../../player/rendering";
import { bufferOf, noise, RATE, tone, type Wave } from "../../../player/signals";
import { LaneGraph } from "./laneGraph";

/** So long are two pieces. */
const PIECE_MS = 500;
const PIECE = (PIECE_MS * RATE) / 1000;
/** Where the graph begins in a context's time: as soon as it may. */
const BEGUN = 0.02 * RATE;

interface Act {
  /** In samples, of whole blocks. */
  readonly at: number;
  readonly act: (graph: LaneGraph) => void;
}

/** Two pieces of two lanes, from `from_ms` of the demo on. */
async function rendered(a: Wave, b: Wave, from_ms: number, acts: readonly Act[] = []) {
  const context = new OfflineAudioContext(1, BEGUN + 2 * PIECE, RATE);
  const graph = new LaneGraph(context, context.destination, "A");
  graph.begin(from_ms);
  for (const piece of [0, 1]) {
    const part = (wave: Wave) => bufferOf((sample) => wave(sample + piece * PIECE), PIECE);
    const lanes = new Map([
      ["A", part(a)],
      ["B", part(b)],
    ]);
    graph.add(piece * PIECE_MS, PIECE_MS, lanes);
  }
  for (const { at, act } of acts) {
    void context.suspend(at / RATE).then(() => {
      act(graph);
      void context.resume();
    });
  }
  return (await context.startRendering()).getChannelData(0);
}

test("pieces follow each other to the sample, from wherever it begins", async () => {
  const wave = noise(1);
  for (const from_ms of [0, 130, 490]) {
    const heard = await rendered(wave, noise(2), from_ms);
    const shift = (from_ms * RATE) / 1000 - BEGUN;
    const wanted: Wave = (sample) => wave(sample + shift);
    expect(differsAt(heard, wanted, BEGUN + RAMP + 1, 2 * PIECE - shift)).toBeNull();
  }
});

test("a switch fades from one lane into the other and never falls silent", async () => {
  const [a, b] = [noise(3), noise(4)];
  const at = 128 * 60;
  const switched = at + BEGUN;
  const heard = await rendered(a, b, 0, [{ at, act: (graph) => graph.switchTo("B") }]);
  const lane = (wave: Wave) => (sample: number) => wave(sample - BEGUN);
  expect(differsAt(heard, lane(a), BEGUN + RAMP + 1, switched)).toBeNull();
  expect(differsAt(heard, lane(b), switched + RAMP + 1, 2 * PIECE)).toBeNull();
  // Of lanes that sound alike, nothing is heard of it.
  const same = await rendered(tone, tone, 0, [{ at, act: (graph) => graph.switchTo("B") }]);
  expect(click_dbfs(same, switched, switched + RAMP)).toBeLessThan(
    click_dbfs(same, BEGUN + RAMP + 10, switched) + 1,
  );
});

test("what ends fades out, and begins again elsewhere", async () => {
  const wave = noise(5);
  const [ends, begins] = [128 * 40, 128 * 100];
  const heard = await rendered(wave, noise(6), 0, [
    { at: ends, act: (graph) => graph.end() },
    {
      at: begins,
      act: (graph) => {
        graph.begin(100);
        graph.add(0, PIECE_MS, new Map([["A", bufferOf(wave, PIECE)]]));
      },
    },
  ]);
  const silent = heard.slice(ends + BEGUN + RAMP + 2, begins + BEGUN);
  expect(Math.max(...silent.map(Math.abs))).toBe(0);
  const from = begins + BEGUN;
  const wanted: Wave = (sample) => wave(sample - from + RATE / 10);
  expect(differsAt(heard, wanted, from + RAMP + 1, PIECE)).toBeNull();
});
