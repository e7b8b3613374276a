// What leaves a page's audio graph, sample by sample, and what the server keeps of a
// demo's lanes, to find the one in the other.
// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Page } from "@playwright/test";

export const RATE_HZ = 48_000;
export const DIFFERENT_SAMPLES = RATE_HZ / 2;
const TAP = resolve(import.meta.dirname, "soundTap.js");

declare global {
  var tap: { outs: AudioNode[]; blocks: Map<number, Float32Array> };
}

/** Before the page is opened: notes what it lets sound. */
export const listenIn = (page: Page) =>
  page.addInitScript(() => {
    const connect = AudioNode.prototype.connect as (this: AudioNode, ...to: unknown[]) => unknown;
    globalThis.tap = { outs: [], blocks: new Map() };
    AudioNode.prototype.connect = function (this: AudioNode, ...to: unknown[]) {
      if (to[0] instanceof AudioDestinationNode && this.context instanceof AudioContext) {
        globalThis.tap.outs.push(this);
      }
      return connect.apply(this, to);
    } as AudioNode["connect"];
  });

/** From now on all that sounds is written down; in a context with `bypassCSP`. */
export const record = (page: Page) =>
  page.evaluate(
    async (script) => {
      const [out] = globalThis.tap.outs;
      if (!out) throw new Error("Nothing sounds on this page.");
      // No request for a worklet can be answered by a test.
      const module = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
      await out.context.audioWorklet.addModule(module);
      const node = new AudioWorkletNode(out.context, "tap", { numberOfOutputs: 0 });
      node.port.onmessage = ({ data }) => globalThis.tap.blocks.set(data.frame, data.samples);
      out.connect(node);
    },
    readFileSync(TAP, "utf8"),
  );

/** Samples so far, from the first to the last, once there are any; what the page did not get is
 * NaN. */
export async function heard(page: Page): Promise<Float32Array> {
  await page.waitForFunction(() => globalThis.tap.blocks.size > 0);
  return Float32Array.from(
    await page.evaluate(() => {
      const frames = [...globalThis.tap.blocks.keys()];
      const first = Math.min(...frames);
      const samples = new Float32Array(Math.max(...frames) - first + 128).fill(Number.NaN);
      for (const [frame, block] of globalThis.tap.blocks) {
        samples.set(block ?? new Float32Array(128), frame - first);
      }
      return [...samples];
    }),
  );
}

export const forget = (page: Page) => page.evaluate(() => globalThis.tap.blocks.clear());

/** All that is kept of a lane, decoded by this browser. */
export async function kept(page: Page, base: string, lane: number): Promise<Float32Array> {
  return Float32Array.from(
    await page.evaluate(async (address) => {
      const samples: number[] = [];
      for (let piece = 0; ; piece++) {
        const answer = await fetch(`${address}/${piece}`);
        if (answer.status === 404) return samples;
        const file = await answer.arrayBuffer();
        const decoded = await new OfflineAudioContext(1, 1, 48_000).decodeAudioData(file);
        for (const sample of decoded.getChannelData(0)) samples.push(sample);
      }
    }, `${base}/takes/1/lanes/${lane}/sound`),
  );
}

const SNIPPET_SAMPLES = 128;
/** Between what one graph made of a sound and what another did: rounding. */
const SAME = 1e-4;
const LOUD = 0.02;
/** What begins fades in. */
const BEGUN_SAMPLES = 4_800;

const same = (one = Number.NaN, other = Number.NaN): boolean => Math.abs(one - other) < SAME;

/** Which sample of a lane the first one of `pcm` is; NaN: what is heard is not that lane's. */
export function offsetOf(pcm: Float32Array, lane: Float32Array): number {
  const begun = pcm.findIndex((sample) => Math.abs(sample) > LOUD);
  const at = pcm.findIndex((sample, n) => n > begun + BEGUN_SAMPLES && Math.abs(sample) > LOUD);
  if (begun < 0 || at < 0) return Number.NaN;
  for (let place = 0; place + SNIPPET_SAMPLES <= lane.length; place++) {
    let n = 0;
    while (n < SNIPPET_SAMPLES && same(pcm[at + n], lane[place + n])) n++;
    if (n === SNIPPET_SAMPLES) return place - at;
  }
  return Number.NaN;
}

/** The share of samples between two of the lane's that were heard as they are. */
export function share(
  pcm: Float32Array,
  lane: Float32Array,
  offset: number,
  from: number,
  to: number,
): number {
  let found = 0;
  for (let at = from; at < to; at++) if (same(pcm[at - offset], lane[at])) found++;
  return found / (to - from);
}

/** The longest stretch between two samples of the lanes' that was heard as no lane has it. */
export function longestOdd(
  pcm: Float32Array,
  lanes: readonly Float32Array[],
  offset: number,
  from: number,
  to: number,
): number {
  let [longest, now] = [0, 0];
  for (let at = from; at < to; at++) {
    now = lanes.some((lane) => same(pcm[at - offset], lane[at])) ? 0 : now + 1;
    longest = Math.max(longest, now);
  }
  return longest;
}

/** Where the first stretch of half a second begins in which two lanes sound quite different; NaN:
 * nowhere. */
export function differAt(one: Float32Array, other: Float32Array, from: number, to: number): number {
  for (let at = from; at + DIFFERENT_SAMPLES <= to; at += DIFFERENT_SAMPLES / 10) {
    let [differ, loud] = [0, 0];
    for (let n = at; n < at + DIFFERENT_SAMPLES; n++) {
      differ += ((one[n] ?? 0) - (other[n] ?? 0)) ** 2;
      loud += (one[n] ?? 0) ** 2 + (other[n] ?? 0) ** 2;
    }
    if (loud > 1 && differ > 0.3 * loud) return at;
  }
  return Number.NaN;
}
