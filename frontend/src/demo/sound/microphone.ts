// The presenter's microphone on its way to the lab.
// SPDX-License-Identifier: Apache-2.0
import { LastingPeer, type Offer, type PeerAt } from "./lastingPeer";

const LEVEL_EVERY_MS = 100;

/** The console plays what comes back, so its loudspeaker must not enter again.
 * Whatever else a browser does to a voice (gates, gain that follows it) would
 * be heard as if the lanes had done it. */
const WANTED: MediaTrackConstraints = {
  channelCount: 1,
  echoCancellation: true,
  noiseSuppression: false,
  autoGainControl: false,
};

export type MicrophoneAt =
  | "off"
  /** The browser asks the presenter. */
  | "asking"
  | "opening"
  | "live"
  /** The way to the server is gone, and is being made anew. */
  | "away"
  /** `reason` says why, and what to do. */
  | "refused";

export interface MicrophoneView {
  readonly at: MicrophoneAt;
  /** 0 … 1, of full scale: what the microphone takes at this moment. */
  readonly level_share: number;
  readonly reason: string | null;
}

const OFF: MicrophoneView = { at: "off", level_share: 0, reason: null };

const AT: Record<PeerAt, MicrophoneAt> = {
  closed: "off",
  opening: "opening",
  open: "live",
  away: "away",
  refused: "refused",
};

const INSECURE =
  "Browsers let only secure pages use a microphone. Open the console as http://localhost on the " +
  "machine that runs Thinlab, or over HTTPS.";

const WHY: Record<string, string> = {
  NotAllowedError:
    "The browser does not let this page use the microphone. Allow it beside the address, then " +
    "try again.",
  NotFoundError: "There is no microphone. Plug one in, then try again.",
  NotReadableError: "Another program holds the microphone. Close that, then try again.",
};

export class MicrophoneSender {
  readonly #link: LastingPeer;
  readonly #told = new Set<() => void>();
  #view = OFF;
  #stream: MediaStream | null = null;
  #meter: Meter | null = null;
  #wanted = false;

  constructor({ offer }: { readonly offer: Offer }) {
    this.#link = new LastingPeer({
      offer,
      furnish: (peer) => {
        for (const track of this.#stream?.getAudioTracks() ?? []) {
          peer.addTransceiver(track, { direction: "sendonly" });
        }
      },
      onChange: (at, reason) => this.#changed(at, reason),
    });
  }

  readonly subscribe = (told: () => void): (() => void) => {
    this.#told.add(told);
    return () => this.#told.delete(told);
  };

  readonly view = (): MicrophoneView => this.#view;

  async start(): Promise<void> {
    if (this.#wanted) return;
    this.#wanted = true;
    if (!navigator.mediaDevices) {
      this.#refuse(INSECURE);
      return;
    }
    this.#show({ ...OFF, at: "asking" });
    let stream: MediaStream;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: WANTED });
    } catch (error) {
      const name = error instanceof DOMException ? error.name : "";
      this.#refuse(WHY[name] ?? `The microphone could not be opened (${name || error}).`);
      return;
    }
    if (!this.#wanted) {
      silence(stream);
      return;
    }
    this.#stream = stream;
    for (const track of stream.getTracks()) {
      track.addEventListener("ended", () => this.#refuse("The microphone was unplugged."));
    }
    this.#meter = new Meter(stream, (level_share) => this.#show({ level_share }));
    this.#link.open();
  }

  stop(): void {
    this.#release();
    this.#show(OFF);
  }

  #refuse(reason: string): void {
    this.#release();
    this.#show({ at: "refused", level_share: 0, reason });
  }

  #release(): void {
    this.#wanted = false;
    this.#link.close();
    this.#meter?.close();
    this.#meter = null;
    if (this.#stream) silence(this.#stream);
    this.#stream = null;
  }

  #changed(at: PeerAt, reason: string | null): void {
    if (at === "refused" && reason) this.#refuse(reason);
    else if (this.#wanted) this.#show({ at: AT[at], reason });
  }

  #show(change: Partial<MicrophoneView>): void {
    this.#view = { ...this.#view, ...change };
    for (const told of this.#told) told();
  }
}

function silence(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}

/** How loud it is, so that the presenter sees that it hears. */
class Meter {
  readonly #context = new AudioContext();
  readonly #timer: ReturnType<typeof setInterval>;

  constructor(stream: MediaStream, tell: (level_share: number) => void) {
    const analyser = this.#context.createAnalyser();
    this.#context.createMediaStreamSource(stream).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    this.#timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      tell(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0));
    }, LEVEL_EVERY_MS);
  }

  close(): void {
    clearInterval(this.#timer);
    void this.#context.close();
  }
}
