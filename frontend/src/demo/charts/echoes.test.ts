// A terminal's lanes show how long each key's echo took instead of messages.
import { expect, test } from "vitest";
import { FeedStore } from "../feed/store";
import { latencyReach } from "./drawLatency";

const store = new FeedStore();
store.take({
  type: "moment",
  at_ms: 5_000,
  take: 1,
  lanes: [
    {
      echoes: [
        { number: 1, written_ms: 1_000, shown_ms: 1_131 },
        { number: 2, written_ms: 2_000, shown_ms: 2_650 },
        { number: 3, written_ms: 4_900, shown_ms: 5_000 },
      ],
      // SSH's own packets, which nobody waits for.
      messages: [
        { number: 0, written_ms: 1_500, sent_ms: 1_500, arrived_ms: 1_510, available_ms: 9_000 },
      ],
    },
  ],
});

test("the scale is the echoes'", () => {
  expect(latencyReach(store, 0, 5_000)).toEqual({ least_ms: 100, most_ms: 650 });
  expect(latencyReach(store, 0, 1_500)).toEqual({ least_ms: 131, most_ms: 131 });
  expect(latencyReach(store, 2_500, 3_000)).toBeNull();
});
