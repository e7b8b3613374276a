// What is not sent yet, kept in this tab, so that a page that is loaded again goes on
// with it: one trial, one page of questions, one sound check at a time. No condition.
// SPDX-License-Identifier: Apache-2.0
import type { Given } from "./given";

/** An answer that is not sent yet: its place among those offered, and how noticeable. */
export interface Chosen {
  readonly place: number;
  readonly noticeable: number | null;
}

/** What comes before a trial, and was left. */
export type Interlude = "introduction" | "rest";

interface Kinds {
  trial: {
    /** What the kind of trial keeps of its own. */
    readonly own?: unknown;
    readonly chosen?: Chosen;
    /** Of several sounds, in their order; null: not rated yet. */
    readonly ratings?: readonly (number | null)[];
    readonly passed?: readonly Interlude[];
  };
  questions: { readonly given?: Readonly<Record<string, Given>> };
  hearing: {
    /** The try that is under way, and what was answered in it. */
    readonly of_try?: string;
    readonly answers?: readonly number[];
  };
  sound: {
    /** The voice was, and is as loud as wanted. */
    readonly heard?: boolean;
    /** Set, and gone on with to the headphone test. */
    readonly level_percent?: number;
    /** How far the try is that is under way; null: none is. */
    readonly rounds?: { readonly number: number; readonly answers: readonly number[] } | null;
    /** A try was not passed, and another may be. */
    readonly again?: boolean;
  };
}

const nameOf = (kind: keyof Kinds) => `thinlab.${kind}`;

/** Of one trial, or one participant's page: another's is not found. */
export class Draft<Kind extends keyof Kinds> {
  readonly #kind: Kind;
  readonly #of: string;
  #sent = false;

  constructor(kind: Kind, of: string) {
    this.#kind = kind;
    this.#of = of;
  }

  read(): Kinds[Kind] {
    const kept = read(this.#kind);
    return (kept.of === this.#of ? kept : {}) as Kinds[Kind];
  }

  write(change: Kinds[Kind]): void {
    if (this.#sent) return;
    const kept = { ...this.read(), ...change, of: this.#of };
    try {
      sessionStorage.setItem(nameOf(this.#kind), JSON.stringify(kept));
    } catch {
      // Then a reload begins this page anew.
    }
  }

  /** It is on its way: should it not be taken, one begins anew. */
  sent(): void {
    this.#sent = true;
    forget(this.#kind);
  }
}

export function forgetDrafts(): void {
  for (const kind of ["trial", "questions", "sound", "hearing"] as const) forget(kind);
}

function forget(kind: keyof Kinds): void {
  try {
    sessionStorage.removeItem(nameOf(kind));
  } catch {
    // Nothing was kept then.
  }
}

function read(kind: keyof Kinds): { readonly of?: string } {
  try {
    return JSON.parse(sessionStorage.getItem(nameOf(kind)) ?? "{}") as { of?: string };
  } catch {
    return {};
  }
}
