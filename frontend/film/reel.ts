// A page filmed as it is shown, and the film developed afterwards by the browser
// itself, so that coding the pictures takes nothing from what they show.
// SPDX-License-Identifier: Apache-2.0
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, CDPSession, Page } from "@playwright/test";

interface Frame {
  readonly at_s: number;
  readonly jpeg: Buffer;
}

const QUALITY = 80;
const BITS_PER_S = 4_000_000;

export class Reel {
  readonly #frames: Frame[] = [];
  readonly #session: CDPSession;
  readonly width: number;
  readonly height: number;

  private constructor(session: CDPSession, width: number, height: number) {
    this.#session = session;
    this.width = width;
    this.height = height;
  }

  static async of(page: Page): Promise<Reel> {
    const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
    const session = await page.context().newCDPSession(page);
    const reel = new Reel(session, width, height);
    session.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
      const at_s = metadata.timestamp ?? Date.now() / 1000;
      reel.#frames.push({ at_s, jpeg: Buffer.from(data, "base64") });
      void session.send("Page.screencastFrameAck", { sessionId });
    });
    await session.send("Page.startScreencast", {
      format: "jpeg",
      quality: QUALITY,
      maxWidth: width,
      maxHeight: height,
    });
    return reel;
  }

  get length_s(): number {
    return (this.#frames.at(-1)?.at_s ?? 0) - (this.#frames[0]?.at_s ?? 0);
  }

  get frames(): number {
    return this.#frames.length;
  }

  async stop(): Promise<void> {
    await this.#session.send("Page.stopScreencast");
  }

  /** Writes each picture into a folder, named by its milliseconds since the first. */
  keep(folder: string): void {
    mkdirSync(folder, { recursive: true });
    const first_s = this.#frames[0]?.at_s ?? 0;
    for (const { at_s, jpeg } of this.#frames) {
      writeFileSync(join(folder, `${Math.round(1000 * (at_s - first_s))}.jpg`), jpeg);
    }
  }

  /** Writes it as WebM; takes as long as it lasts. */
  async develop(browser: Browser, path: string): Promise<void> {
    const page = await (await browser.newContext()).newPage();
    const first_s = this.#frames[0]?.at_s ?? 0;
    await page.route("http://reel/**", (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      const frame = this.#frames[Number(name)];
      if (frame) return route.fulfill({ body: frame.jpeg, contentType: "image/jpeg" });
      return route.fulfill({ body: "<title>reel</title>", contentType: "text/html" });
    });
    await page.goto("http://reel/");
    const coded = await page.evaluate(record, {
      at_ms: this.#frames.map(({ at_s }) => 1000 * (at_s - first_s)),
      width: this.width,
      height: this.height,
      bits_per_s: BITS_PER_S,
    });
    writeFileSync(path, Buffer.from(coded, "base64"));
    await page.context().close();
  }
}

interface Shown {
  readonly at_ms: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly bits_per_s: number;
}

/** In the page: shows each picture at its time on a canvas, and records that. */
async function record({ at_ms, width, height, bits_per_s }: Shown): Promise<string> {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const pen = canvas.getContext("2d");
  const pictures = at_ms.map(async (_, number) =>
    createImageBitmap(await (await fetch(`/${number}`)).blob()),
  );
  const recorder = new MediaRecorder(canvas.captureStream(), {
    mimeType: "video/webm;codecs=vp8",
    videoBitsPerSecond: bits_per_s,
  });
  const pieces: Blob[] = [];
  recorder.ondataavailable = ({ data }) => pieces.push(data);
  const stopped = new Promise((resolve) => {
    recorder.onstop = resolve;
  });
  await Promise.all(pictures);
  recorder.start();
  const began_ms = performance.now();
  for (const [number, picture] of pictures.entries()) {
    const wait_ms = began_ms + (at_ms[number] ?? 0) - performance.now();
    if (wait_ms > 0) await new Promise((resolve) => setTimeout(resolve, wait_ms));
    pen?.drawImage(await picture, 0, 0, width, height);
  }
  recorder.stop();
  await stopped;
  const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 32_768) {
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
  }
  return btoa(text);
}
