// Everything a participant's browser is given, written down: requests, answers,
// the page's tree, titles, addresses, storage. `leaks.ts` reads it.
// SPDX-License-Identifier: Apache-2.0
import type { Browser, BrowserContext, Page, Request, Response } from "@playwright/test";
import type { HeardTrial, QuestionForm, StudyPage, TypedTrial } from "../src/api/generated.ts";
import { type Held, held } from "./held.ts";
import { noteFrames } from "./links.ts";
import { type Passing, throughUs } from "./through.ts";

/** A thing that the browser got or shows, as text. */
export interface Item {
  /** `script` is the same for everybody; a `message` comes from the server, a `page` shows it. */
  readonly kind: "script" | "message" | "page";
  readonly where: string;
  readonly text: string;
}

/** An answer that brings a recording, but for its samples. */
export interface Sent {
  readonly recording_token: string;
  readonly header_names: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** What comes before the samples, as hexadecimal digits. */
  readonly head: string;
  /** What comes after the samples, in bytes. */
  readonly tail_bytes: number;
}

/** An answer to a vote. */
export interface Receipt {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly keys: readonly string[];
}

/** What the page showed of a trial at one moment of it. */
export interface Shown {
  readonly position: number;
  readonly moment: string;
  readonly html: string;
}

const HEAD_BYTES = 44;
/** Differ between any two answers, whatever they hold. */
const PER_ANSWER = ["date", "content-length"];

/** Sounds that are alike for all: to set the level by, and of the headphone test. */
const SOUNDS = /\/sound-check$|\/headphones\/\d+\/\d+$/;

const alike = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !PER_ANSWER.includes(name)));

/** A page of a browser of its own, written down from its first request to its links' frames;
 * `inPage` may spoil it. */
export async function recordedPage(browser: Browser, inPage: (page: Page) => Promise<void>) {
  const context = await browser.newContext();
  const record = await SessionRecord.of(context);
  const page = await context.newPage();
  await inPage(page);
  await page.addInitScript(noteFrames);
  return { context, record, page };
}

export class SessionRecord {
  readonly items: Item[] = [];
  readonly sent = new Map<string, Sent>();
  /** Tokens in the order in which the page asked for their recordings. */
  readonly asked: string[] = [];
  /** As the server sent them, in the order of their positions. */
  readonly trials = new Map<number, HeardTrial>();
  /** Those to be typed. */
  readonly typed = new Map<number, TypedTrial>();
  readonly receipts: Receipt[] = [];
  readonly shown: Shown[] = [];
  /** What the study's authors wrote for everybody to read. */
  readonly prose = new Set<string>();
  readonly #pending: Promise<void>[] = [];
  #finished = false;

  /** Records from now on; `pass` may change a recording's answer after it is written down. */
  static async of(
    context: BrowserContext,
    pass: (passing: Passing) => Passing = (passing) => passing,
  ): Promise<SessionRecord> {
    const record = new SessionRecord();
    context.on("request", (request) => record.#noteRequest(request));
    context.on("response", (response) => {
      if (!record.#finished) record.#pending.push(record.#note(response));
    });
    context.on("console", (message) => record.#add("page", "console", message.text()));
    await throughUs(context, (passing) => {
      record.#noteRecording(passing);
      return pass(passing);
    });
    return record;
  }

  /** Waits until every answer so far is written down, and takes no more: a page may ask until
   * it is closed, and an answer that comes while it closes has no body to read. */
  async finish(): Promise<void> {
    while (this.#pending.length > 0) await this.#pending.shift();
    this.#finished = true;
  }

  /** Writes down what the page holds now; of a trial also what it looks like. */
  async snapshot(
    page: Page,
    moment: string,
    trial: { readonly position: number } | null,
  ): Promise<void> {
    const now: Held = await page.evaluate(held);
    for (const [name, text] of Object.entries(now)) this.#add("page", `${name}, ${moment}`, text);
    if (trial) this.shown.push({ position: trial.position, moment, html: now.body });
  }

  /** Something that the server sent over a link. */
  noteFrame(where: string, text: string): void {
    this.#add("message", where, text);
  }

  #add(kind: Item["kind"], where: string, text: string): void {
    this.items.push({ kind, where, text });
  }

  #noteRequest(request: Request): void {
    const token = /\/api\/recordings\/([^/?]+)/.exec(request.url())?.[1];
    if (token) this.asked.push(token);
  }

  async #note(response: Response): Promise<void> {
    const request = response.request();
    const { pathname } = new URL(response.url());
    const where = `${request.method()} ${pathname}`;
    const kind = pathname.startsWith("/assets/") ? "script" : "message";
    this.#add("message", `${where}, address`, response.url());
    this.#add("message", `${where}, sent`, request.postData() ?? "");
    // Recordings pass through us, and what is read as a stream may never count as finished.
    if (pathname.startsWith("/api/recordings/")) return;
    const isSound = request.method() === "GET" && SOUNDS.test(pathname);
    const headers = isSound ? response.headers() : await response.allHeaders();
    this.#add(kind, `${where}, headers`, written(headers));
    if (isSound) return;
    const body = (await response.body()).toString("utf8");
    this.#add(kind, where, body);
    if (response.ok()) this.#understand(pathname, response.status(), headers, body);
  }

  #understand(
    pathname: string,
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): void {
    if (pathname === "/api/participation/trials") {
      const { trials } = JSON.parse(body) as { trials: (HeardTrial | TypedTrial)[] };
      for (const trial of trials) {
        if (trial.medium === "typed") this.typed.set(trial.position, trial);
        else this.trials.set(trial.position, trial);
        this.#noteProse([trial.introduction, trial.scale.question, wordings(trial.scale)]);
      }
    } else if (pathname === "/api/participation/votes") {
      this.receipts.push({ status, headers: alike(headers), keys: Object.keys(JSON.parse(body)) });
    } else if (pathname === "/api/participation/questions") {
      const { questions } = JSON.parse(body) as { questions: QuestionForm[] };
      this.#noteProse(questions);
    } else if (/^\/api\/studies\/[^/]+$/.test(pathname)) {
      const study = JSON.parse(body) as StudyPage;
      const { title, description, consent, contact, credits } = study;
      this.#noteProse([title, description, consent.paragraphs, contact, credits]);
    }
  }

  #noteProse(value: unknown): void {
    if (typeof value === "string") this.prose.add(value);
    else if (value && typeof value === "object") {
      for (const inner of Object.values(value)) this.#noteProse(inner);
    }
  }

  #noteRecording({ recording_token, headers, body }: Passing): void {
    const data_bytes = body.readUInt32LE(HEAD_BYTES - 4);
    this.sent.set(recording_token, {
      recording_token,
      header_names: Object.keys(headers).join(" "),
      headers: alike(headers),
      bytes: body.byteLength,
      head: body.subarray(0, HEAD_BYTES).toString("hex"),
      tail_bytes: body.byteLength - HEAD_BYTES - data_bytes,
    });
    this.#add("message", "a recording, headers", written(headers));
    // Tags would stand where no sample is; the head is searched as text too.
    const outside = [body.subarray(0, HEAD_BYTES), body.subarray(HEAD_BYTES + data_bytes)];
    this.#add("message", "a recording, outside the samples", Buffer.concat(outside).toString());
  }
}

const wordings = (scale: HeardTrial["scale"]) =>
  "answers" in scale ? scale.answers : scale.labels;

const written = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");
