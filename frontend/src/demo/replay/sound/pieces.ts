// The pieces of a replay's sound that are fetched and decoded, and no more of them
// than are heard soon: a minute of four lanes takes 46 MB of memory.
// SPDX-License-Identifier: Apache-2.0
import { decode } from "../../../player/output";
import type { Segment } from "./segments";

/** What failed is not asked for again at once: a server that is away is not to be hammered at. */
export const FORGET_MS = 2_000;

/** A segment's lanes, by letter. */
export type Decoded = ReadonlyMap<string, AudioBuffer>;

/** Fetches a piece of a lane; null: there is none.
 * @throws Error when it cannot be fetched now. */
export type Fetch = (take: number, lane: number, piece: number) => Promise<ArrayBuffer | null>;

/** What was fetched is nothing that this browser can decode. */
export class Undecodable extends Error {}

export function fetchFrom(base: string): Fetch {
  return async (take, lane, piece) => {
    const address = `${base}/takes/${take}/lanes/${lane}/sound/${piece}`;
    const answer = await fetch(address, { credentials: "same-origin" });
    if (answer.status === 404) return null;
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    return answer.arrayBuffer();
  };
}

export class Pieces {
  readonly #fetch: Fetch;
  readonly #known = new Map<Segment, Promise<Decoded>>();
  readonly #ready = new Map<Segment, Decoded>();

  constructor(fetch: Fetch) {
    this.#fetch = fetch;
  }

  /** What is there already. */
  at(segment: Segment): Decoded | undefined {
    return this.#ready.get(segment);
  }

  /** Fetches and decodes it, unless that was done; what failed is tried again after a while.
   * @throws Undecodable, or the fetch's error. */
  load(segment: Segment): Promise<Decoded> {
    const known = this.#known.get(segment);
    if (known) return known;
    const loading = this.#loaded(segment);
    this.#known.set(segment, loading);
    loading.then(
      (decoded) => this.#known.has(segment) && this.#ready.set(segment, decoded),
      () => setTimeout(() => this.#forget(segment, loading), FORGET_MS),
    );
    return loading;
  }

  /** Forgets all that is not wanted. */
  keep(wanted: (segment: Segment) => boolean): void {
    for (const segment of this.#known.keys()) {
      if (wanted(segment)) continue;
      this.#known.delete(segment);
      this.#ready.delete(segment);
    }
  }

  #forget(segment: Segment, failed: Promise<Decoded>): void {
    if (this.#known.get(segment) === failed) this.#known.delete(segment);
  }

  async #loaded({ take, piece, lanes }: Segment): Promise<Decoded> {
    const decoded = await Promise.all(
      lanes.map(async ({ lane, letter }) => {
        const file = await this.#fetch(take, lane, piece);
        if (!file) return [];
        const buffer = await decode(file).catch(() => {
          throw new Undecodable();
        });
        return [[letter, buffer] as const];
      }),
    );
    return new Map(decoded.flat());
  }
}
