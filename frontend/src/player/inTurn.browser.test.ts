// A trial that is heard in turn on Chromium's real output: gate and journal.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { InTurnInstrument } from "./inTurn";
import { output } from "./output";
import { bufferOf, noise, RATE } from "./signals";

const sound = () => bufferOf(noise(1), RATE / 4);
let instrument: InTurnInstrument;
beforeEach(async () => {
  await output().context.resume();
  instrument = new InTurnInstrument(output(), { first: sound(), second: sound() });
});
afterEach(() => instrument.dispose());

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000 });
const actions = () => instrument.account().events.map(({ action, member }) => [action, member]);

test("the vote opens when both were heard to their end", async () => {
  await instrument.play();
  await until(() => instrument.view().heard.first === 1);
  expect(instrument.view().mayVote).toBe(false);
  await until(() => !instrument.view().playing);
  expect(instrument.view()).toMatchObject({ mayVote: true, heard: { first: 1, second: 1 } });
  expect(actions()).toEqual([
    ["play", "first"],
    ["ended", "first"],
    ["play", "second"],
    ["ended", "second"],
  ]);
  expect(instrument.account()).toMatchObject({ plays_first: 1, plays_second: 1, switches: 0 });
});

test("what was stopped was not heard whole, and again means from the beginning", async () => {
  await instrument.play();
  await until(() => instrument.view().heard.first === 1);
  instrument.stop();
  expect(instrument.view()).toMatchObject({ mayVote: false, playing: false, turn: null });
  await instrument.play();
  expect(instrument.view().turn?.member).toBe("first");
  await until(() => instrument.view().mayVote);
  expect(instrument.account()).toMatchObject({ plays_first: 2, plays_second: 1 });
});

test("one recording opens the vote alone", async () => {
  const alone = new InTurnInstrument(output(), { first: sound() });
  await alone.play();
  await until(() => alone.view().mayVote);
  expect(alone.account()).toMatchObject({ plays_first: 1, plays_second: 0 });
  alone.dispose();
});
