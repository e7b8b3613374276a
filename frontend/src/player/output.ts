// The one audio output of the page: opened by a gesture, kept between trials.
// SPDX-License-Identifier: Apache-2.0

/** Rate of every recording, in hertz; the context runs at it so that nothing
 * is resampled before the operating system. */
export const SAMPLE_RATE_HZ = 48_000;

const START_PATIENCE_MS = 3_000;

let context: AudioContext | null = null;
let level: GainNode | null = null;

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
  if (context.state === "running") return true;
  const patience = new Promise<void>((resolve) => setTimeout(resolve, START_PATIENCE_MS));
  await Promise.race([context.resume().catch(() => {}), patience]);
  return (context.state as AudioContextState) === "running";
}

/** Tells whenever the browser takes the sound away, as for a call, and when it gives it back;
 * until the returned function is called. */
export function whenHeld(told: (held: boolean) => void): () => void {
  const { context } = output();
  const tell = () => told(context.state !== "running");
  context.addEventListener("statechange", tell);
  return () => context.removeEventListener("statechange", tell);
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
