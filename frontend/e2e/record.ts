// Everything a participant's browser is given, written down: requests, answers,
// the page's tree, titles, addresses, storage. And what can be told from it.
// SPDX-License-Identifier: Apache-2.0
import type { BrowserContext, Page, Response } from "@playwright/test";
import { type Passing, throughUs } from "./through.ts";

/** A thing that the browser got or shows, as text. */
export interface Item {
  /** `script` is the same for everybody; `prose` is the study's own text. */
  readonly kind: "script" | "prose" | "message" | "page";
  readonly where: string;
  readonly text: string;
}

export interface Member {
  readonly recording_token: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** What comes before the samples, as hexadecimal digits. */
  readonly head: string;
  /** What comes after the samples, in bytes. */
  readonly tail_bytes: number;
}

const HEAD_BYTES = 44;
/** Differ between any two answers, whatever they hold. */
const PER_ANSWER = ["date"];

export class SessionRecord {
  readonly items: Item[] = [];
  readonly members: Member[] = [];
  readonly #pending: Promise<void>[] = [];
  /** Which place a recording has in its trial, by token. */
  readonly places = new Map<string, "first" | "second">();

  /** Records from now on; `tamper` may plant something into a recording's answer. */
  static async of(
    context: BrowserContext,
    tamper: (passing: Passing) => Passing = (passing) => passing,
  ): Promise<SessionRecord> {
    const record = new SessionRecord();
    context.on("response", (response) => record.#pending.push(record.#note(response)));
    context.on("console", (message) => record.#add("page", "console", message.text()));
    await throughUs(context, (passing) => {
      const passed = tamper(passing);
      record.#noteMember(passed);
      return passed;
    });
    return record;
  }

  /** Waits until every answer so far is written down. */
  async settled(): Promise<void> {
    while (this.#pending.length > 0) await this.#pending.shift();
  }

  /** Writes down what the page holds now. */
  async snapshot(page: Page): Promise<void> {
    const held = await page.evaluate(async () => {
      const databases: unknown[] = [];
      for (const { name } of await indexedDB.databases()) {
        databases.push(name);
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const opening = indexedDB.open(name ?? "");
          opening.onsuccess = () => resolve(opening.result);
          opening.onerror = () => reject(opening.error);
        });
        for (const store of database.objectStoreNames) {
          const reading = database.transaction(store).objectStore(store).getAll();
          await new Promise((resolve) => {
            reading.onsuccess = resolve;
          });
          databases.push(store, reading.result);
        }
        database.close();
      }
      return {
        html: document.documentElement.outerHTML,
        title: document.title,
        address: location.href,
        state: JSON.stringify(history.state),
        cookies: document.cookie,
        local: JSON.stringify({ ...localStorage }),
        session: JSON.stringify({ ...sessionStorage }),
        databases: JSON.stringify(databases),
        caches: JSON.stringify(await caches.keys()),
        resources: performance
          .getEntries()
          .map(({ name }) => name)
          .join(" "),
      };
    });
    for (const [name, text] of Object.entries(held)) this.#add("page", name, text);
  }

  #add(kind: Item["kind"], where: string, text: string): void {
    this.items.push({ kind, where, text });
  }

  async #note(response: Response): Promise<void> {
    const request = response.request();
    const { pathname } = new URL(response.url());
    const where = `${request.method()} ${pathname}`;
    const kind = kindOf(request.method(), pathname);
    const headers = await response.allHeaders();
    this.#add("message", `${where}, address`, response.url());
    this.#add("message", `${where}, header values`, valuesOf(headers, kind));
    this.#add("message", `${where}, sent`, request.postData() ?? "");
    // Sound: the sound check is the same for all, recordings pass through us.
    if (/sound-check$|^\/api\/recordings\//.test(pathname)) return;
    const body = await response.body();
    this.#add(kind, where, body.toString("utf8"));
    if (pathname === "/api/participation/trials") this.#notePlaces(body);
  }

  #notePlaces(body: Buffer): void {
    const trial = JSON.parse(body.toString("utf8"));
    this.places.set(trial.first.recording_token, "first");
    this.places.set(trial.second.recording_token, "second");
  }

  #noteMember({ recording_token, headers, body }: Passing): void {
    const data_bytes = body.readUInt32LE(HEAD_BYTES - 4);
    const told = Object.entries(headers).filter(([name]) => !PER_ANSWER.includes(name));
    this.members.push({
      recording_token,
      headers: Object.fromEntries(told.sort()),
      bytes: body.byteLength,
      head: body.subarray(0, HEAD_BYTES).toString("hex"),
      tail_bytes: body.byteLength - HEAD_BYTES - data_bytes,
    });
    this.#add("message", "a recording, header values", valuesOf(headers, "message"));
    // Tags would stand where no sample is; the head is searched as text too.
    const outside = [body.subarray(0, HEAD_BYTES), body.subarray(HEAD_BYTES + data_bytes)];
    this.#add("message", "a recording, outside the samples", Buffer.concat(outside).toString());
  }
}

function kindOf(method: string, pathname: string): Item["kind"] {
  if (pathname.startsWith("/assets/")) return "script";
  if (method === "GET" && /^\/(api\/studies\/|s\/)/.test(pathname)) return "prose";
  return "message";
}

/** Of pages and scripts only what is no date: `Last-Modified` tells of the build. */
function valuesOf(headers: Readonly<Record<string, string>>, kind: Item["kind"]): string {
  const told = Object.entries(headers).filter(
    ([name]) => kind === "message" || !/date|modif/.test(name),
  );
  return told
    .map(([name, value]) =>
      name.startsWith("x-") && name !== "x-content-type-options" ? `${name}: ${value}` : value,
    )
    .join("\n");
}
