// From the lab's playout to the loudspeaker: chirps whose instants are known, in
// Chromium, on the clock of one machine. Prints figures as JSON.
// SPDX-License-Identifier: Apache-2.0
import { writeFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { chirpsOf, lanesOf, RATE_HZ } from "../e2e/heardSound.ts";
import type {} from "../e2e/soundPage.ts";
import { SoundRoom } from "../e2e/soundRoom.ts";

const BLOCK_SAMPLES = 128;
/** A tenth of a second to both sides. */
const NEAR_BLOCKS = 37;
const CHIRP_EVERY_MS = 500;
const LISTEN_MS = 60_000;
const SWITCHES = 30;
const SWITCH_EVERY_MS = 1_000;
/** Longer than any switch takes. */
const SWITCH_WINDOW_MS = 900;

/** `share` of the values are not above it (nearest rank). */
function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** When a sample left the loudspeaker. The two clocks may part for a moment on a busy machine. */
function ear_ms(left_ms: readonly number[], sample: number): number {
  const place = Math.floor(sample / BLOCK_SAMPLES);
  const near = left_ms.slice(Math.max(0, place - NEAR_BLOCKS), place + NEAR_BLOCKS + 1);
  const steady = near.map((at_ms, n) => at_ms - (1_000 * BLOCK_SAMPLES * n) / RATE_HZ);
  const before = Math.min(place, NEAR_BLOCKS);
  const rest = sample - BLOCK_SAMPLES * (place - before);
  return quantile(steady, 0.5) + (1_000 * rest) / RATE_HZ;
}

interface Recorded {
  readonly left_ms: readonly number[];
  readonly pcm: Float32Array;
  /** Of the loudspeaker, as the browser says it. */
  readonly device_ms: number;
}

/** Listens in a room of its own while something is done there. */
async function listen(
  page: Page,
  words: readonly string[],
  during: (room: SoundRoom) => Promise<void>,
): Promise<Recorded> {
  const room = await SoundRoom.open(words);
  try {
    await room.enter(page);
    await page.evaluate(() => sound.player.start());
    await expect.poll(() => page.evaluate(() => sound.player.view().at)).toBe("playing");
    await page.evaluate(() => sound.recorder.start({ whole: true }));
    await expect.poll(() => page.evaluate(() => sound.recorder.lane())).toBe(0);
    const before = await page.evaluate(() => sound.made_up());
    await during(room);
    const after = await page.evaluate(() => sound.made_up());
    const { output } = await page.evaluate(() => sound.recorder.latency_ms());
    const { samples, left_ms, holes } = await page.evaluate(() => sound.recorder.stop());
    process.stderr.write(
      `  packets left the server at most ${(await room.latest_ms()).toFixed(1)} ms late; ` +
        `blocks that the page did not get: ${holes}; made up, in samples: ` +
        `${JSON.stringify(before)} → ${JSON.stringify(after)}\n`,
    );
    const pcm = new Float32Array(new Uint8Array(Buffer.from(samples, "base64")).buffer);
    return { left_ms, pcm, device_ms: output };
  } finally {
    await room.close();
  }
}

const told = (name: string, values: readonly number[]) =>
  process.stderr.write(
    `  ${values.length} ${name}, ms: ${values.map((one) => one.toFixed(0)).join(" ")}\n`,
  );

const figures: [name: string, value: number, how: string][] = [];

test.afterAll(() => {
  const written = figures.map(([name, value, how]) => ({
    name,
    value: Math.round(10 * value) / 10,
    unit: "ms",
    how,
  }));
  writeFileSync(process.env.THINLAB_FIGURES ?? "/dev/stdout", JSON.stringify(written));
});

test("from playout to ear", async ({ page }) => {
  let marks_ms: number[] = [];
  const { left_ms, pcm, device_ms } = await listen(page, ["--lab"], async (room) => {
    await page.waitForTimeout(LISTEN_MS);
    marks_ms = (await room.marks_ns(0)).map((mark_ns) => mark_ns / 1e6);
  });
  const heard_ms = chirpsOf(pcm).map((at) => ear_ms(left_ms, at));
  const to_ear_ms = marks_ms.flatMap((mark_ms) => {
    const heard = heard_ms.find((at_ms) => at_ms >= mark_ms);
    // A chirp that fell into a renewal of the recorder's source is none that came late.
    const came = heard !== undefined && heard - mark_ms < CHIRP_EVERY_MS;
    return came && mark_ms >= (left_ms[0] ?? 0) ? [heard - mark_ms] : [];
  });
  told("chirps", to_ear_ms);
  expect(to_ear_ms.length).toBeGreaterThan(0.8 * (LISTEN_MS / CHIRP_EVERY_MS));
  const how =
    `${to_ear_ms.length} chirps of a lane of the real lab in Chromium over WebRTC, ` +
    `of which the output device says ${device_ms.toFixed(0)} ms`;
  figures.push(
    ["playout_to_ear_p50_ms", quantile(to_ear_ms, 0.5), how],
    ["playout_to_ear_p99_ms", quantile(to_ear_ms, 0.99), how],
  );
});

test("from the click to the other lane", async ({ page }) => {
  const clicks_ms: number[] = [];
  // A clock plays: the lanes of the lab play one clip, and could not be told apart.
  const { left_ms, pcm } = await listen(page, [], async () => {
    for (let number = 1; number <= SWITCHES; number++) {
      clicks_ms.push(await page.evaluate((lane) => sound.listen(lane), number % 2));
      // Not in step with the packets.
      await page.waitForTimeout(SWITCH_EVERY_MS + number);
    }
  });
  const to_switch_ms = clicks_ms.flatMap((click_ms) => {
    const from = BLOCK_SAMPLES * left_ms.findIndex((at_ms) => at_ms >= click_ms);
    const window = pcm.subarray(from, from + (SWITCH_WINDOW_MS * RATE_HZ) / 1_000);
    const [, changed] = lanesOf(window);
    return changed ? [ear_ms(left_ms, from + changed.from) - click_ms] : [];
  });
  told("switches", to_switch_ms);
  expect(to_switch_ms.length).toBe(SWITCHES);
  const how = `${SWITCHES} times from the page's asking to the other lane's first sound`;
  figures.push(
    ["switch_to_ear_p50_ms", quantile(to_switch_ms, 0.5), how],
    ["switch_to_ear_max_ms", Math.max(...to_switch_ms), how],
  );
});
