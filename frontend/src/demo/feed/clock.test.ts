import { expect, test } from "vitest";
import { DisplayClock } from "./clock";

const FRAME_MS = 1000 / 60;
/** The page's clock less the demo's, at the quickest. */
const OFFSET_MS = 5_000;

/** Moments every 100 ms, each late by `late_ms`, in order; frames in between. Returns
 * what was shown at each frame, with the page's time and the newest moment's. */
function run(late_ms: (index: number) => number, seconds: number) {
  const clock = new DisplayClock();
  const frames: { now_ms: number; shown_ms: number; known_ms: number }[] = [];
  let came_ms = 0;
  const moments = Array.from({ length: seconds * 10 }, (_, index) => {
    const at_ms = index * 100;
    came_ms = Math.max(came_ms, OFFSET_MS + at_ms + late_ms(index));
    return { at_ms, came_ms };
  });
  let next = 0;
  for (let now_ms = OFFSET_MS; now_ms < OFFSET_MS + seconds * 1000; now_ms += FRAME_MS) {
    for (let moment = moments[next]; moment && moment.came_ms <= now_ms; moment = moments[next]) {
      clock.arrived(moment.at_ms, moment.came_ms);
      next += 1;
    }
    frames.push({ now_ms, shown_ms: clock.at(now_ms), known_ms: moments[next - 1]?.at_ms ?? 0 });
  }
  return { clock, frames };
}

const jitter = (index: number) => [0, 12, 3, 40, 7, 25, 60, 1][index % 8] ?? 0;

test("nothing is shown before the first moment", () => {
  expect(new DisplayClock().at(1000)).toBeNaN();
});

test("the clock runs smoothly, and what is shown is known, whatever the jitter", () => {
  const { frames } = run(jitter, 30);
  const settled = frames.slice(5 * 60);
  for (const [index, { now_ms, shown_ms, known_ms }] of settled.entries()) {
    expect(shown_ms).toBeLessThanOrEqual(known_ms);
    const before = settled[index - 1];
    if (!before) continue;
    const pace = (shown_ms - before.shown_ms) / (now_ms - before.now_ms);
    expect(pace).toBeGreaterThanOrEqual(0.949);
    expect(pace).toBeLessThanOrEqual(1.051);
  }
});

test("it stays behind by no more than the feed's jitter asks for", () => {
  const steady = run(() => 0, 10).frames.at(-1);
  const shaken = run(jitter, 10).frames.at(-1);
  const behind = (frame: typeof steady) =>
    frame ? frame.now_ms - OFFSET_MS - frame.shown_ms : Number.NaN;
  expect(behind(steady)).toBeLessThan(150);
  expect(behind(shaken)).toBeGreaterThan(150);
  expect(behind(shaken)).toBeLessThan(250);
});

test("one moment that was held up does not make everything late", () => {
  const { frames } = run((index) => (index === 100 ? 700 : jitter(index)), 20);
  const last = frames.at(-1);
  expect((last?.now_ms ?? 0) - OFFSET_MS - (last?.shown_ms ?? 0)).toBeLessThan(250);
});

test("even a feed that stutters by seconds is shown within one", () => {
  const { frames } = run((index) => (index % 50 === 20 ? 1_800 : 0), 30);
  const last = frames.at(-1);
  expect((last?.now_ms ?? 0) - OFFSET_MS - (last?.shown_ms ?? 0)).toBeLessThan(1000);
});

test("time never goes back", () => {
  const { frames } = run((index) => (index > 100 && index < 110 ? 900 : jitter(index)), 30);
  for (const [index, { shown_ms }] of frames.entries()) {
    const before = frames[index - 1]?.shown_ms ?? Number.NEGATIVE_INFINITY;
    if (!Number.isNaN(shown_ms) && !Number.isNaN(before)) {
      expect(shown_ms).toBeGreaterThanOrEqual(before);
    }
  }
});

test("a minute told at once leaves the clock at the present", () => {
  const clock = new DisplayClock();
  // One long pause in the middle, as when the page collects garbage.
  for (let index = 0; index < 600; index++) {
    clock.arrived(index * 100, 70_000 + index * 0.5 + (index > 300 ? 80 : 0));
  }
  for (let index = 600; index < 620; index++) {
    clock.arrived(index * 100, 70_380 + (index - 599) * 100);
  }
  expect(clock.delay_ms).toBeLessThan(200);
});

test("after a sleep the clock is at the present again at once", () => {
  const clock = new DisplayClock();
  for (let index = 0; index < 50; index++) clock.arrived(index * 100, 1_000 + index * 100);
  expect(clock.at(6_000)).toBeGreaterThan(4_500);
  for (let index = 600; index < 605; index++) clock.arrived(index * 100, 1_000 + index * 100);
  expect(clock.at(61_450)).toBeGreaterThan(60_000);
});
