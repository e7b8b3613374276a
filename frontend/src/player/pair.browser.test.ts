// The pair's graph, rendered by Chromium sample by sample: alignment across a
// switch, the shape of the fades, and how much of a click is left.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { raisedCosine } from "./fade";
import { Pair } from "./pair";
import { click_dbfs, differsAt, RAMP, rendered, SWITCH } from "./rendering";
import { bufferOf, CREST, noise, RATE, tone, type Wave } from "./signals";

const LENGTH = RATE;
/** Up to here a recording is as it is; then it fades. */
const BEFORE_END = LENGTH - RAMP - 1;

const render = (first: Wave, second: Wave, act: (pair: Pair) => void) =>
  rendered(LENGTH, (context) => {
    const members = { first: bufferOf(first, LENGTH), second: bufferOf(second, LENGTH) };
    act(new Pair(context, members));
  });

const switchClick_dbfs = (heard: Float32Array, at: number) =>
  click_dbfs(heard, at - 4, at + SWITCH + 4);

test("across a switch both members stay aligned to the sample", async () => {
  const [first, second] = [noise(1), noise(2)];
  const at = 20_011;
  const heard = await render(first, second, (pair) => {
    pair.start(0, { at_s: 0 });
    pair.switchTo("second", at / RATE);
  });
  expect(differsAt(heard, first, RAMP + 1, at)).toBeNull();
  expect(differsAt(heard, second, at + SWITCH, BEFORE_END)).toBeNull();
});

test("twenty quick switches leave the timeline where it was", async () => {
  const [first, second] = [noise(3), noise(4)];
  const heard = await render(first, second, (pair) => {
    pair.start(0, { at_s: 0 });
    for (let press = 0; press < 20; press++) {
      pair.switchTo(press % 2 === 0 ? "second" : "first", (10_000 + press * 97) / RATE);
    }
  });
  // The twentieth is back at the first; the ramps queue up behind each other.
  expect(differsAt(heard, first, 10_000 + 20 * SWITCH, BEFORE_END)).toBeNull();
});

test("stopping and starting goes on at the position that was reached", async () => {
  const wave = noise(5);
  const heard = await render(wave, noise(6), (pair) => {
    pair.start(0, { at_s: 0 });
    const position_s = pair.stop(10_000 / RATE);
    expect(position_s * RATE).toBeCloseTo(10_000, 6);
    pair.start(position_s, { at_s: 20_000 / RATE });
  });
  expect(differsAt(heard, () => 0, 10_000 + RAMP + 1, 20_000)).toBeNull();
  expect(differsAt(heard, (n) => wave(n - 10_000), 20_000 + RAMP + 1, LENGTH)).toBeNull();
});

test("a switch is a raised cosine out, then one in, and never both", async () => {
  const at = 12_000;
  const switching = (pair: Pair) => {
    pair.start(0, { at_s: 0 });
    pair.switchTo("second", at / RATE);
  };
  const [one, nothing]: Wave[] = [() => 1, () => 0];
  const first = await render(one as Wave, nothing as Wave, switching);
  const second = await render(nothing as Wave, one as Wave, switching);
  const [out, into] = [raisedCosine("out", RAMP + 1), raisedCosine("in", RAMP + 1)];
  for (let n = 0; n <= RAMP; n++) {
    expect(Math.abs((first[at + n] ?? 9) - (out[n] ?? -9))).toBeLessThan(1e-4);
    expect(Math.abs((second[at + RAMP + 1 + n] ?? 9) - (into[n] ?? -9))).toBeLessThan(1e-4);
    expect(second[at + n]).toBeLessThan(1e-4);
    expect(first[at + RAMP + 1 + n]).toBeLessThan(1e-4);
  }
});

test("the raised cosine is half down half way", () => {
  const curve = raisedCosine("out", 241);
  expect([curve[0], curve[120], curve[240]]).toEqual([1, 0.5, 0]);
  expect(curve[60]).toBeCloseTo((1 + Math.SQRT1_2) / 2, 6);
});

const toneUpsideDown: Wave = (sample) => -tone(sample);

test("the worst switch leaves no click above -60 dBFS, where a hard cut leaves one at 0", async () => {
  const at = 200 * 240 * 0.5 + CREST;
  const faded = await render(tone, toneUpsideDown, (pair) => {
    pair.start(0, { at_s: 0 });
    pair.switchTo("second", at / RATE);
  });
  const cut = Float32Array.from({ length: LENGTH }, (_, n) =>
    n < at ? tone(n) : toneUpsideDown(n),
  );
  expect(switchClick_dbfs(cut, at)).toBeGreaterThan(-1);
  expect(switchClick_dbfs(faded, at)).toBeLessThan(-60);
});

test("starting at a crest and stopping at one are as quiet", async () => {
  const heard = await render(
    (n) => tone(n + CREST),
    () => 0,
    (pair) => {
      pair.start(0, { at_s: 4_800 / RATE });
      pair.stop((4_800 + 24_000) / RATE);
    },
  );
  expect(switchClick_dbfs(heard, 4_800)).toBeLessThan(-60);
  expect(switchClick_dbfs(heard, 4_800 + 24_000)).toBeLessThan(-60);
});

test("a recording that ends at a crest ends as quietly", async () => {
  const length = 24_000 + CREST;
  const heard = await rendered(LENGTH, (context) => {
    new Pair(context, { first: bufferOf(tone, length) }).start(0, { at_s: 0 });
  });
  expect(click_dbfs(heard, length - RAMP - 4, length + 4)).toBeLessThan(-60);
});

test("members that differ in length are refused", () => {
  const context = new OfflineAudioContext(1, 1, RATE);
  const members = { first: bufferOf(tone, LENGTH), second: bufferOf(tone, LENGTH - 1) };
  expect(() => new Pair(context, members)).toThrow(RangeError);
});
