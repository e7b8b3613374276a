import { expect, test } from "vitest";
import { PlausibleDemo } from "../../../demo-charts/plausibleDemo";
import { ReplayFeed } from "./replay";
import { FeedStore } from "./store";

const LENGTH_MS = 30_000;

function lines(): string[] {
  const demo = new PlausibleDemo([false, true], 50);
  const written = ['{"type":"state","at_ms":0}'];
  for (let at_ms = 100; at_ms <= LENGTH_MS; at_ms += 100) {
    for (const message of demo.until(at_ms)) written.push(JSON.stringify(message));
  }
  return written;
}

function loaded(): ReplayFeed {
  const replay = new ReplayFeed();
  replay.append(lines());
  return replay;
}

/** What a page sees that has been there all along. */
function storeAt(at_ms: number): FeedStore {
  const store = new FeedStore();
  for (const line of lines()) {
    const message = JSON.parse(line);
    if (message.type !== "state" && message.at_ms <= at_ms) store.take(message);
  }
  return store;
}

const seen = (store: FeedStore, until_ms: number) =>
  store.lanes.map(({ packets, messages }) => ({
    packets: Array.from({ length: packets.length }, (_, index) => packets.at(index)).filter(
      (packet) => packet && packet.sent_ms <= until_ms,
    ).length,
    messages: Array.from({ length: messages.length }, (_, index) => messages.at(index)).filter(
      (message) => message && message.available_ms <= until_ms - 100,
    ).length,
  }));

test("an empty replay shows nothing", () => {
  expect(new ReplayFeed().advance(0)).toBeNaN();
});

test("it stands until it is played, then runs at its speed", () => {
  const replay = loaded();
  replay.advance(1_000);
  expect(replay.advance(9_000)).toBe(replay.start_ms);
  replay.setSpeed(4);
  replay.play();
  replay.advance(10_000);
  expect(replay.advance(11_000)).toBe(replay.start_ms + 4_000);
  replay.pause();
  expect(replay.advance(20_000)).toBe(replay.start_ms + 4_000);
});

test("while it plays it goes by who leads, and never back", () => {
  const replay = loaded();
  let led_ms = Number.NaN;
  replay.follow(() => led_ms);
  replay.play();
  replay.advance(10_000);
  expect(replay.advance(10_500)).toBe(replay.start_ms + 500);
  led_ms = replay.start_ms + 4_000;
  expect(replay.advance(10_516)).toBe(led_ms);
  // What is fetched is waited for.
  expect(replay.advance(12_000)).toBe(led_ms);
  led_ms -= 100;
  expect(replay.advance(12_016)).toBe(led_ms + 100);
  replay.pause();
  led_ms += 5_000;
  expect(replay.advance(12_032)).toBe(replay.start_ms + 4_000);
  const { seeks } = replay;
  replay.seek(20_000);
  expect([replay.advance(12_048), replay.seeks]).toEqual([20_000, seeks + 1]);
});

test("it ends at the end and begins anew from there", () => {
  const replay = loaded();
  replay.play();
  for (let now_ms = 0; now_ms <= LENGTH_MS; now_ms += 500) replay.advance(now_ms);
  expect(replay.at_ms).toBe(LENGTH_MS);
  expect(replay.playing).toBe(false);
  replay.play();
  expect(replay.at_ms).toBe(replay.start_ms);
});

test.each([3_000, 12_345, 29_999])("set to %i ms it knows what was known then", (at_ms) => {
  const replay = loaded();
  replay.seek(LENGTH_MS);
  replay.seek(at_ms);
  expect(seen(replay.store, at_ms)).toEqual(seen(storeAt(at_ms + 200), at_ms));
});

test("a page that was out of sight for long goes on about where it was", () => {
  const replay = loaded();
  replay.play();
  replay.advance(0);
  expect(replay.advance(15_000)).toBeLessThan(replay.start_ms + 1_001);
});

test("going back forgets what comes later", () => {
  const replay = loaded();
  replay.seek(LENGTH_MS);
  replay.seek(5_000);
  expect(replay.store.latest_ms).toBeLessThan(5_500);
  expect(replay.store.events.last?.at_ms ?? 0).toBeLessThan(5_500);
});

test("it can be played while it is still being loaded", () => {
  const replay = new ReplayFeed();
  const all = lines();
  replay.append(all.slice(0, 50));
  const loaded_ms = replay.end_ms;
  replay.play();
  replay.advance(0);
  replay.append(all.slice(50));
  for (let now_ms = 1_000; now_ms <= loaded_ms + 2_000; now_ms += 100) replay.advance(now_ms);
  expect(replay.at_ms).toBeGreaterThan(loaded_ms + 1_000);
});
