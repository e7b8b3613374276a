// A replay that goes by what is heard: it waits for a slow network, goes on without one that
// is away, and comes back to it.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import { RATE, silentWav } from "../../../player/signals";
import { ReplayFeed } from "../../feed/replay";
import type { Fetch } from "./pieces";
import { ReplaySound } from "./replaySound";
import type { Segment } from "./segments";

const LENGTH_MS = 30_000;
const LANES = [
  { lane: 0, letter: "A" },
  { lane: 1, letter: "B" },
];
const SEGMENTS: Segment[] = [0, 1, 2].map((piece) => ({
  take: 1,
  piece,
  from_ms: piece * 10_000,
  length_ms: 10_000,
  lanes: LANES,
}));

function loaded(): ReplayFeed {
  const feed = new ReplayFeed();
  const lines = [];
  for (let at_ms = 0; at_ms <= LENGTH_MS; at_ms += 1_000) {
    lines.push(JSON.stringify({ type: "moment", at_ms, take: 1, lanes: [{}, {}] }));
  }
  feed.append(lines);
  return feed;
}

const file = () => silentWav(10, RATE);

let sound: ReplaySound | null = null;
afterEach(() => {
  sound?.dispose();
  sound = null;
});

const until = <Found>(look: () => Found) => vi.waitUntil(look, { timeout: 30_000 });

/** As a page does it at each frame. */
function played(fetch: Fetch): { feed: ReplayFeed; sound: ReplaySound; at: () => number } {
  const feed = loaded();
  sound = new ReplaySound(feed, SEGMENTS, fetch);
  feed.play();
  return { feed, sound, at: () => feed.advance(performance.now()) };
}

test("the replay waits for its sound, and then goes by it", async () => {
  let bring: (file: ArrayBuffer) => void = () => {};
  const slow = new Promise<ArrayBuffer>((resolve) => {
    bring = resolve;
  });
  const asked: number[] = [];
  const { feed, sound, at } = played((_, lane) => {
    asked.push(lane);
    return slow.then((one) => one.slice());
  });
  at();
  await until(() => asked.length === 2);
  const before_ms = performance.now();
  await until(() => performance.now() > before_ms + 300);
  expect([at(), sound.view().at]).toEqual([0, "loading"]);
  bring(file());
  await until(() => at() > 200);
  expect(sound.view().at).toBe("playing");
  // Set elsewhere, it goes on there.
  feed.seek(25_000);
  await until(() => at() > 25_200);
  feed.setSpeed(2);
  expect(sound.view().at).toBe("resting");
  await until(() => at() > 26_000);
});

test("without its sound the replay goes on, and finds it again", async () => {
  let [away, asked] = [true, 0];
  const { sound, at } = played(async () => {
    asked += 1;
    if (away) throw new Error("away");
    return file();
  });
  await until(() => sound.view().at === "away");
  expect(asked).toBe(2);
  await until(() => at() > 500);
  expect(asked).toBe(2);
  away = false;
  await until(() => sound.view().at === "playing");
  const from_ms = at();
  await until(() => at() > from_ms + 200);
});

test("what this browser cannot decode is said, and the replay goes on", async () => {
  const { sound, at } = played(async () => new ArrayBuffer(100));
  await until(() => sound.view().at === "undecodable");
  await until(() => at() > 200);
});
