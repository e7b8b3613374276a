// The output's clock on Chromium's own: taken away, standing still, given back.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { output, startOutput, whenHeld } from "./output";

let letGo = () => {};
const told: boolean[] = [];
/** What the device has played, as the tests have it. */
let played_s = 0;

beforeEach(async () => {
  await output().context.resume();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  Object.defineProperty(output().context, "currentTime", {
    configurable: true,
    get: () => played_s,
  });
  told.length = 0;
  letGo = whenHeld((held) => told.push(held));
});

afterEach(() => {
  letGo();
  vi.useRealTimers();
  vi.restoreAllMocks();
  // The prototype's is back.
  Reflect.deleteProperty(output().context, "currentTime");
});

/** Seconds in which the device plays. */
function playing(seconds: number): void {
  for (let second = 0; second < seconds; second++) {
    played_s += 1;
    vi.advanceTimersByTime(1_000);
  }
}

const standingStill = (seconds: number) => vi.advanceTimersByTime(1_000 * seconds);

test("while it plays, and while the machine is busy, nothing is told", () => {
  playing(60);
  standingStill(3);
  playing(2);
  standingStill(3);
  playing(2);
  expect(told).toEqual([]);
});

test("a device that plays no more is told once, and so is that it plays again", () => {
  playing(5);
  standingStill(30);
  expect(told).toEqual([true]);
  playing(5);
  expect(told).toEqual([true, false]);
});

test("a start that is asked for then asks for the device anew", async () => {
  const { context } = output();
  const suspend = vi.spyOn(context, "suspend");
  playing(5);
  expect(await startOutput()).toBe(true);
  expect(suspend).not.toHaveBeenCalled();
  standingStill(10);
  expect(await startOutput()).toBe(true);
  expect(suspend).toHaveBeenCalledOnce();
  expect(context.state).toBe("running");
  playing(2);
  expect(told.at(-1)).toBe(false);
});

test("of a page that slept nothing is told", () => {
  playing(5);
  const now_ms = performance.now();
  // One look, a minute late.
  vi.spyOn(performance, "now").mockImplementation(() => now_ms + 60_000);
  vi.advanceTimersByTime(1_000);
  expect(told).toEqual([]);
});

test("what the browser takes away is told at once", async () => {
  const { context } = output();
  await context.suspend();
  await vi.waitUntil(() => told.length === 1);
  await context.resume();
  await vi.waitUntil(() => told.length === 2);
  expect(told).toEqual([true, false]);
});
