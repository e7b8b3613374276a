// What the page of a sound room has in it: player and microphone as the demo's
// pages use them, and a recorder of what leaves the loudspeaker.
// SPDX-License-Identifier: Apache-2.0
import { answered } from "../src/api/client.ts";
import { Player } from "../src/demo/sound/listen.ts";
import { MicrophoneSender } from "../src/demo/sound/microphone.ts";
import { laneOf, loudness, WINDOW_SAMPLES } from "./heardSound.ts";

const RATE_HZ = 48_000;
const RENEW_MS = 4_750;
/** Of an audio worklet. */
const BLOCK_SAMPLES = 128;
/** The least power of two that holds what a lane is told by. */
const LATEST_SAMPLES = 512;

async function asked(path: string, body: object, signal: AbortSignal): Promise<{ sdp: string }> {
  const call = fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal,
  }).then(async (response) => ({
    response,
    [response.ok ? "data" : "error"]: await response.json(),
  }));
  return answered(call);
}

const listener = crypto.randomUUID();
const player = new Player({
  offer: (sdp, signal) => asked("/offer", { sdp, listener }, signal),
});
const microphone = new MicrophoneSender({
  offer: (sdp, signal) => asked("/microphone", { sdp }, signal),
});

/** Every state that was shown. */
const shown: string[] = [];
player.subscribe(() => shown.push(player.view().at));

/** From now on another lane; since 1970. */
async function listen(lane: number): Promise<number> {
  const at_ms = performance.timeOrigin + performance.now();
  await fetch("/listen", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ listener, lane }),
  });
  return at_ms;
}

interface Recorded {
  /** When each block's first sample left the loudspeaker, since 1970. */
  readonly left_ms: number[];
  /** Base64 of little-endian floats: the way to the test is text. */
  readonly samples: string;
  /** Blocks that the page did not get. */
  readonly holes: number;
}

interface Block {
  readonly frame: number;
  readonly samples: Float32Array | null;
  readonly left_ms: number;
}

class Recorder {
  #made: AudioContext | null = null;
  #latest: AnalyserNode | null = null;
  readonly #blocks: Block[] = [];
  #source: MediaStreamAudioSourceNode | null = null;

  /** Made when first needed: a browser may hold one back that was there before a click. */
  get #context(): AudioContext {
    this.#made ??= new AudioContext({ sampleRate: RATE_HZ, latencyHint: "interactive" });
    return this.#made;
  }

  /** Hears what is heard now; where `whole`, keeps all of it. Firefox may stand still with a worklet. */
  async start({ whole }: { readonly whole: boolean }): Promise<void> {
    const context = this.#context;
    await context.resume();
    const latest = new AnalyserNode(context, { fftSize: LATEST_SAMPLES });
    this.#latest = latest;
    const ends: AudioNode[] = [latest];
    if (whole) ends.push(await this.#keeper(context));
    const begin = () => {
      const stream = player.element.srcObject;
      if (!(stream instanceof MediaStream)) return;
      this.#source?.disconnect();
      this.#source = context.createMediaStreamSource(stream);
      for (const end of ends) this.#source.connect(end);
    };
    begin();
    // Where the machine stalls, sound gathers between the stream and this graph and stays there,
    // on no listener's way. Between two chirps it is begun anew.
    setInterval(begin, RENEW_MS);
    // What is measured is this way out.
    player.element.muted = true;
  }

  async #keeper(context: AudioContext): Promise<AudioNode> {
    await context.audioWorklet.addModule("/tap.js");
    const node = new AudioWorkletNode(context, "tap", { numberOfOutputs: 1 });
    node.port.onmessage = ({ data }) => {
      const { contextTime = 0, performanceTime = 0 } = context.getOutputTimestamp();
      const offset_ms = performance.timeOrigin + performanceTime - 1000 * contextTime;
      this.#blocks.push({ ...data, left_ms: offset_ms + (1000 * data.frame) / RATE_HZ });
    };
    node.connect(context.destination);
    return node;
  }

  /** As the browser says it. */
  latency_ms(): { base: number; output: number } {
    const { baseLatency, outputLatency } = this.#context;
    return { base: 1000 * baseLatency, output: 1000 * outputLatency };
  }

  /** Which lane is heard now. */
  lane(): number | null {
    return laneOf(this.#now(), 0);
  }

  /** How loud it is now. */
  loudness(): number {
    return loudness(this.#now())[0] ?? 0;
  }

  #now(): Float32Array {
    const samples = new Float32Array(LATEST_SAMPLES);
    this.#latest?.getFloatTimeDomainData(samples);
    return samples.subarray(-WINDOW_SAMPLES);
  }

  /** The sample that comes next. */
  position(): number {
    return (this.#blocks.at(-1)?.frame ?? 0) + BLOCK_SAMPLES;
  }

  /** What was heard from a sample on. */
  since(position: number): number[] {
    const blocks = this.#blocks.filter((block) => block.frame >= position);
    return blocks.flatMap((block) => [...(block.samples ?? new Float32Array(BLOCK_SAMPLES))]);
  }

  async stop(): Promise<Recorded> {
    await this.#context.suspend();
    const blocks = this.#blocks;
    const first = blocks[0];
    if (!first) throw new Error("Nothing was recorded.");
    const samples = new Float32Array(BLOCK_SAMPLES * blocks.length);
    blocks.forEach((block, place) => {
      if (block.samples) samples.set(block.samples, BLOCK_SAMPLES * place);
    });
    const frames = (blocks.at(-1)?.frame ?? 0) - first.frame + BLOCK_SAMPLES;
    return {
      left_ms: blocks.map((block) => block.left_ms),
      samples: base64(new Uint8Array(samples.buffer)),
      holes: frames / BLOCK_SAMPLES - blocks.length,
    };
  }
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(text);
}

/** What the receiver made up or left out, in samples, since the connection began. */
async function made_up(): Promise<{ concealed: number; inserted: number; removed: number }> {
  const found = { concealed: 0, inserted: 0, removed: 0 };
  (await player.stats())?.forEach((one) => {
    if (one.type !== "inbound-rtp") return;
    found.concealed = one.concealedSamples - one.silentConcealedSamples;
    found.inserted = one.insertedSamplesForDeceleration;
    found.removed = one.removedSamplesForAcceleration;
  });
  return found;
}

const soundPage = {
  player,
  microphone,
  shown,
  listen,
  Recorder,
  made_up,
  recorder: new Recorder(),
};

declare global {
  var sound: typeof soundPage;
}

globalThis.sound = soundPage;

// As a page that plays without being asked to.
if (location.hash === "#unasked") player.start();
