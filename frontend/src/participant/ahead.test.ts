// Fetching ahead: in order, one trial at a time, and what is known without asking.
// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from "vitest";
import type { HeardTrial } from "../api/generated";
import { Ahead } from "./ahead";

const trial = (position: number) =>
  ({
    medium: "heard",
    trial_token: `trial-${position}`,
    position,
    first: { recording_token: `${position}-first` },
    second: { recording_token: `${position}-second` },
  }) as HeardTrial;
const [one, two, three] = [trial(1), trial(2), trial(3)] as const;

/** Fetches that end when the test says so. */
function fetching() {
  const asked: string[] = [];
  const ends = new Map<string, { arrive: () => void; refuse: () => void }>();
  const fetch = (wanted: Pick<HeardTrial, "first">) =>
    new Promise<{ first: ArrayBuffer }>((resolve, reject) => {
      const name = wanted.first.recording_token.replace("-first", "");
      asked.push(name);
      ends.set(name, {
        arrive: () => resolve({ first: new ArrayBuffer(1) }),
        refuse: () => reject(new Error("gone")),
      });
    });
  const ahead = new Ahead("token", new AbortController().signal, () => fetch as never);
  return { ahead, asked, ends };
}

test("trials are fetched in order, the next when the one before is here", async () => {
  const { ahead, asked, ends } = fetching();
  ahead.learn([one, two, three]);
  await vi.waitUntil(() => asked.length === 1);
  expect(ahead.isHere(one)).toBe(false);
  ends.get("1")?.arrive();
  await vi.waitUntil(() => asked.length === 2);
  expect(asked).toEqual(["1", "2"]);
  expect(ahead.isHere(one)).toBe(true);
  expect(ahead.isMoreHere(one)).toBe(false);
  ends.get("2")?.arrive();
  await vi.waitUntil(() => ahead.isMoreHere(one));
});

test("a trial that is refused says so to who shows it, and does not stop the next", async () => {
  const { ahead, asked, ends } = fetching();
  ahead.learn([one, two]);
  const files = ahead.files(one, () => {});
  await vi.waitUntil(() => asked.length === 1);
  ends.get("1")?.refuse();
  await expect(files).rejects.toThrow("gone");
  await vi.waitUntil(() => asked.length === 2);
});

test("what was answered here is over, whatever the server still says", () => {
  const { ahead } = fetching();
  ahead.learn([one, two]);
  ahead.done(one);
  expect(ahead.next).toBe(two);
  // The server answered before the vote reached it.
  ahead.learn([one, two, three]);
  expect([ahead.next, ahead.last]).toEqual([two, three]);
  expect(ahead.has(one)).toBe(false);
});

test("nothing is fetched twice", async () => {
  const { ahead, asked, ends } = fetching();
  ahead.learn([one, two]);
  await vi.waitUntil(() => asked.length === 1);
  ahead.learn([one, two]);
  ends.get("1")?.arrive();
  await vi.waitUntil(() => asked.length === 2);
  void ahead.files(two, () => {});
  ends.get("2")?.arrive();
  await vi.waitUntil(() => ahead.isHere(two));
  expect(asked).toEqual(["1", "2"]);
});
