// The one audio output of the page: opened by a gesture, kept between trials.
// SPDX-License-Identifier: Apache-2.0

/** Rate of every recording, in hertz; the context runs at it so that nothing
 * is resampled before the operating system. */
export const SAMPLE_RATE_HZ = 48_000;

const START_PATIENCE_MS = 3_000;
const LOOK_MS = 1_000;
/** Looks come later than this only where the whole page stood still. */
const SLEPT_MS = 3_000;
/** A shorter one may be a busy machine's. */
const STANDSTILL_MS = 5_000;

let context: AudioContext | null = null;
let level: GainNode | null = null;
/** The device takes no more sound, and the browser has not noticed. */
let standsStill = false;

export interface Output {
  readonly context: AudioContext;
  /** Where players connect; one linear gain for everything that is heard. */
  readonly level: GainNode;
}

/** The output, made when first asked for. It may still be suspended. */
export function output(): Output {
  context ??= new AudioContext({ sampleRate: SAMPLE_RATE_HZ, latencyHint: "interactive" });
  if (!level) {
    level = new GainNode(context, { gain: 1 });
    level.connect(context.destination);
  }
  return { context, level };
}

/** Wakes the output; false when the browser does not let sound start. */
export async function startOutput(): Promise<boolean> {
  const { context } = output();
  if (context.state === "running" && !standsStill) return true;
  const patience = new Promise<void>((resolve) => setTimeout(resolve, START_PATIENCE_MS));
  // Suspended, the context lets go of the device that has failed it.
  const woken = standsStill ? context.suspend().then(() => context.resume()) : context.resume();
  await Promise.race([woken.catch(() => {}), patience]);
  standsStill = false;
  return (context.state as AudioContextState) === "running";
}

/** Tells when the sound is taken away, by the browser, as for a call, or by a device that plays no
 * more of it; and when it is given back; until the returned function is called. */
export function whenHeld(told: (held: boolean) => void): () => void {
  const { context } = output();
  let held = context.state !== "running";
  let at_s = context.currentTime;
  let looked_ms = performance.now();
  let moved_ms = looked_ms;
  const look = () => {
    const now_ms = performance.now();
    // Of a page that slept nothing can be said.
    const slept = now_ms - looked_ms > SLEPT_MS;
    if (context.state !== "running" || context.currentTime !== at_s || slept) moved_ms = now_ms;
    at_s = context.currentTime;
    looked_ms = now_ms;
    standsStill = now_ms - moved_ms >= STANDSTILL_MS;
    const isHeld = standsStill || context.state !== "running";
    if (isHeld === held) return;
    held = isHeld;
    told(held);
  };
  context.addEventListener("statechange", look);
  const looking = setInterval(look, LOOK_MS);
  return () => {
    context.removeEventListener("statechange", look);
    clearInterval(looking);
  };
}

/** From the graph's end to the ear as the browser estimates it, or null. */
export function outputLatency_ms(): number | null {
  if (!context) return null;
  const seconds = context.baseLatency + (context.outputLatency || 0);
  return Number.isFinite(seconds) ? seconds * 1000 : null;
}

/** Decodes a whole file at the output's rate.
 * @throws DOMException (EncodingError) when the bytes are no audio file. */
export function decode(file: ArrayBuffer): Promise<AudioBuffer> {
  return new OfflineAudioContext(1, 1, SAMPLE_RATE_HZ).decodeAudioData(file);
}
