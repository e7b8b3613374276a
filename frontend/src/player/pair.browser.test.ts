// The pair's graph, rendered by Chromium sample by sample: alignment across a
// switch, the shape of the fades, and how much of a click is left.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { Pair, RAMP_SECONDS, raisedCosine } from "./pair";

const RATE = 48_000;
const RAMP = Math.round(RAMP_SECONDS * RATE);
// Out, a sample of silence, in, and the next ramp may begin a sample later.
const SWITCH = 2 * RAMP + 2;
const LENGTH = RATE;

type Wave = (sample: number) => number;

const noise = (seed: number): Wave => {
  // Any waveform without a period would do; this one needs no state.
  return (sample) => ((Math.imul(sample + 1, 2654435761 ^ seed) >>> 8) / 2 ** 24) * 1.6 - 0.8;
};

function buffer(wave: Wave): AudioBuffer {
  const audio = new AudioBuffer({ length: LENGTH, sampleRate: RATE });
  audio.copyToChannel(
    Float32Array.from({ length: LENGTH }, (_, sample) => wave(sample)),
    0,
  );
  return audio;
}

async function render(
  first: Wave,
  second: Wave,
  act: (pair: Pair, context: OfflineAudioContext) => void,
): Promise<Float32Array> {
  const context = new OfflineAudioContext(1, LENGTH, RATE);
  act(new Pair(context, { first: buffer(first), second: buffer(second) }), context);
  return (await context.startRendering()).getChannelData(0);
}

/** The first sample in [from, to) where the two differ, or null. */
function differsAt(heard: Float32Array, wanted: Wave, from: number, to: number): number | null {
  for (let sample = from; sample < to; sample++) {
    if (heard[sample] !== Math.fround(wanted(sample))) return sample;
  }
  return null;
}

test("across a switch both members stay aligned to the sample", async () => {
  const [first, second] = [noise(1), noise(2)];
  const at = 20_011;
  const heard = await render(first, second, (pair) => {
    pair.start(0, { at_s: 0 });
    pair.switchTo("second", at / RATE);
  });
  expect(differsAt(heard, first, RAMP + 1, at)).toBeNull();
  expect(differsAt(heard, second, at + SWITCH, LENGTH)).toBeNull();
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
  expect(differsAt(heard, first, 10_000 + 20 * SWITCH, LENGTH)).toBeNull();
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
  const first = await render(
    () => 1,
    () => 0,
    (pair) => {
      pair.start(0, { at_s: 0 });
      pair.switchTo("second", at / RATE);
    },
  );
  const second = await render(
    () => 0,
    () => 1,
    (pair) => {
      pair.start(0, { at_s: 0 });
      pair.switchTo("second", at / RATE);
    },
  );
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

// A click is energy where the programme has none. The programme is a 200 Hz
// tone, so whatever a second difference (+12 dB an octave) finds near the
// switch, beyond what the tone itself has, is the click.
const tone: Wave = (sample) => 0.5 * Math.sin((2 * Math.PI * 200 * sample) / RATE);
const toneUpsideDown: Wave = (sample) => -tone(sample);
const PEAK = 60; // the tone's crest, where a hard cut is worst

function click_dbfs(heard: Float32Array, at: number): number {
  let worst = 0;
  for (let n = at - 4; n < at + SWITCH + 4; n++) {
    const bend = (heard[n - 1] ?? 0) - 2 * (heard[n] ?? 0) + (heard[n + 1] ?? 0);
    worst = Math.max(worst, Math.abs(bend));
  }
  return 20 * Math.log10(worst);
}

test("the worst switch leaves no click above -60 dBFS, where a hard cut leaves one at 0", async () => {
  const at = 200 * 240 * 0.5 + PEAK;
  const faded = await render(tone, toneUpsideDown, (pair) => {
    pair.start(0, { at_s: 0 });
    pair.switchTo("second", at / RATE);
  });
  const cut = Float32Array.from({ length: LENGTH }, (_, n) =>
    n < at ? tone(n) : toneUpsideDown(n),
  );
  expect(click_dbfs(cut, at)).toBeGreaterThan(-1);
  expect(click_dbfs(faded, at)).toBeLessThan(-60);
});

test("starting at a crest and stopping at one are as quiet", async () => {
  const heard = await render(
    (n) => tone(n + PEAK),
    () => 0,
    (pair) => {
      pair.start(0, { at_s: 4_800 / RATE });
      pair.stop((4_800 + 24_000) / RATE);
    },
  );
  expect(click_dbfs(heard, 4_800)).toBeLessThan(-60);
  expect(click_dbfs(heard, 4_800 + 24_000)).toBeLessThan(-60);
});

test("a repeated clip goes round for both members alike", async () => {
  const short = new AudioBuffer({ length: 4_800, sampleRate: RATE });
  const wave = noise(7);
  short.copyToChannel(
    Float32Array.from({ length: 4_800 }, (_, n) => wave(n)),
    0,
  );
  const context = new OfflineAudioContext(1, LENGTH, RATE);
  const pair = new Pair(context, { first: short, second: short });
  pair.start(0, { at_s: 0, repeat: true });
  pair.switchTo("second", 20_000 / RATE);
  const heard = (await context.startRendering()).getChannelData(0);
  expect(differsAt(heard, (n) => wave(n % 4_800), RAMP + 1, 20_000)).toBeNull();
  expect(differsAt(heard, (n) => wave(n % 4_800), 20_000 + SWITCH, LENGTH)).toBeNull();
});

test("members that differ in length are refused", () => {
  const context = new OfflineAudioContext(1, 1, RATE);
  const shorter = new AudioBuffer({ length: LENGTH - 1, sampleRate: RATE });
  const members = { first: buffer(tone), second: shorter };
  expect(() => new Pair(context, members)).toThrow(RangeError);
});
