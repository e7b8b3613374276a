// A demo's sound alone: a server that plays marked sound, and a page with nothing
// but the player in it.
// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { type Page, test as plain } from "@playwright/test";
import { build } from "vite";
import { freePort } from "./stack.ts";

const BACKEND = resolve(import.meta.dirname, "../../backend");
/** The playout works in 10 ms: so long after a packet's first half its second is there. */
const READY_MS = 10;
const SOUND = resolve(import.meta.dirname, "soundPage.ts");

export class SoundRoom {
  readonly url: string;
  readonly #port: number;
  readonly #words: readonly string[];
  #process: ChildProcess;

  private constructor(port: number, words: readonly string[], process: ChildProcess) {
    this.url = `http://127.0.0.1:${port}`;
    this.#port = port;
    this.#words = words;
    this.#process = process;
  }

  /** `words`: what else the server is told. */
  static async open(words: readonly string[] = []): Promise<SoundRoom> {
    const port = await freePort();
    return new SoundRoom(port, words, await started(port, words));
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }

  /** A new server where the killed one was. */
  async revive(): Promise<void> {
    this.#process = await started(this.#port, this.#words);
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill("SIGINT");
    await once(this.#process, "exit");
  }

  async post(path: string, body: object = {}): Promise<void> {
    const answer = await fetch(`${this.url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  }

  async facts(): Promise<{ streams: number; reports: number; lost_share: number }> {
    return (await fetch(`${this.url}/facts`)).json();
  }

  /** When a lane's chirps left the playout, since 1970. */
  async marks_ns(lane: number): Promise<number[]> {
    return (await fetch(`${this.url}/marks?lane=${lane}`)).json();
  }

  /** How late the latest packet was handed to the network. */
  async latest_ms(): Promise<number> {
    const left: [timestamp: number, at_ns: number, left_ns: number][] = await (
      await fetch(`${this.url}/left`)
    ).json();
    return Math.max(...left.map(([, at_ns, left_ns]) => (left_ns - at_ns) / 1e6 - READY_MS));
  }

  async spoken(): Promise<{ pieces: number; loudest: number }> {
    return (await fetch(`${this.url}/spoken`)).json();
  }

  /** Opens the page, with `sound` (see soundPage.ts) in it. `how`: "#unasked" plays at once. */
  async enter(page: Page, how = ""): Promise<void> {
    const script = await soundPage();
    await page.route(`${this.url}/sound.js`, (route) =>
      route.fulfill({ contentType: "text/javascript", body: script }),
    );
    await page.route(`${this.url}/`, async (route) => {
      // The headers are the server's own.
      const response = await route.fetch();
      const body =
        '<!doctype html><title>Sound</title><button>Play</button><script src="/sound.js"></script>';
      await route.fulfill({ response, body });
    });
    await page.goto(`${this.url}/${how}`);
  }
}

/** A test with a room of its own. */
export const test = plain.extend<{ room: SoundRoom }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from it that this needs nothing.
  room: async ({}, use) => {
    const room = await SoundRoom.open();
    await use(room);
    await room.close();
  },
});

async function started(port: number, words: readonly string[]): Promise<ChildProcess> {
  const command = ["-m", "tests.demo.sound_room", "--port", String(port), ...words];
  const server = spawn(".venv/bin/python", command, {
    cwd: BACKEND,
    stdio: ["ignore", "pipe", "inherit"],
  });
  // It says where it is when it can be asked.
  for await (const _ of createInterface({ input: server.stdout })) return server;
  throw new Error("The sound room did not open.");
}

let built: Promise<string> | null = null;

/** The page's script, from the sources of the pages themselves. */
function soundPage(): Promise<string> {
  built ??= build({
    configFile: false,
    logLevel: "warn",
    build: {
      write: false,
      minify: false,
      target: "es2023",
      lib: { entry: SOUND, name: "soundPage", formats: ["iife"] },
    },
  }).then((outputs) => {
    const [output] = Array.isArray(outputs) ? outputs : [outputs];
    if (!output || !("output" in output)) throw new Error("Nothing was built.");
    return output.output[0].code;
  });
  return built;
}
