// A saved feed is read whole, however the network cuts it.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import { newestAt, type Recorded, readFeed } from "./recorded";

const LINES = [
  { type: "state", at_ms: 0, title: "Über die Straße – 道" },
  { type: "event", at_ms: 10, number: 1, text: "„Wi-Fi“" },
  { type: "moment", at_ms: 100, take: 1, lanes: [{}, {}] },
  { type: "screen", at_ms: 110, take: 1, lane: 1, data: "é€😀\u001b[0m" },
  { type: "state", at_ms: 120, title: "later" },
  { type: "moment", at_ms: 200, take: 1, lanes: [{}, {}] },
];
const bytes = new TextEncoder().encode(LINES.map((line) => JSON.stringify(line)).join("\n"));

function served(piece_bytes: number): void {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += piece_bytes) {
        controller.enqueue(bytes.slice(at, at + piece_bytes));
      }
      controller.close();
    },
  });
  vi.stubGlobal("fetch", async () => new Response(body));
}

afterEach(() => vi.unstubAllGlobals());

test.each([1, 3, 7, 64, 100_000])("in pieces of %i bytes", async (piece_bytes) => {
  served(piece_bytes);
  let last: Recorded | null = null;
  await readFeed("/feed", (recorded) => (last = recorded), new AbortController().signal);
  const { feed, states, screens } = last as unknown as Recorded;
  expect(states.map(({ title }) => title)).toEqual(["Über die Straße – 道", "later"]);
  expect(screens.map(({ data }) => data)).toEqual(["é€😀\u001b[0m"]);
  expect([feed.start_ms, feed.end_ms]).toEqual([10, 200]);
  expect(feed.events()).toHaveLength(1);
});

test("the state of an instant is the newest before it", () => {
  const states = [{ at_ms: 5 }, { at_ms: 10 }, { at_ms: 20 }];
  expect(newestAt(states, 12)).toEqual({ at_ms: 10 });
  expect(newestAt(states, 10)).toEqual({ at_ms: 10 });
  expect(newestAt(states, 0)).toEqual({ at_ms: 5 });
  expect(newestAt([], 0)).toBeNull();
});

test("a refusal is an error", async () => {
  vi.stubGlobal("fetch", async () => new Response("no", { status: 404 }));
  await expect(readFeed("/feed", () => {}, new AbortController().signal)).rejects.toThrow("404");
});
