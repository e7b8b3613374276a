// The thin layer over the generated API types: one client, and answers that
// are either data, a problem the server names, or "not reached".
// SPDX-License-Identifier: Apache-2.0
import createClient from "openapi-fetch";
import type { ProblemDocument, paths } from "./generated";

const PATIENCE_MS = 20_000;

export const api = createClient<paths>({
  baseUrl: globalThis.location?.origin ?? "",
  credentials: "same-origin",
  cache: "no-store",
  // Looked up at each call, so that a test may stand in front of it.
  fetch: (request) => globalThis.fetch(request),
});

/** The server answered that it will not do this, and why (RFC 9457). */
export class Problem extends Error {
  readonly status: number;
  /** The last part of the problem's type, such as `unknown-study`. */
  readonly kind: string;
  readonly detail: string;
  readonly field: string | null;
  readonly remedy: string | null;

  constructor(status: number, document: Partial<ProblemDocument>) {
    super(document.title ?? `The server answered ${status}.`);
    this.status = status;
    this.kind = document.type?.split("/").at(-1) ?? "";
    this.detail = document.detail ?? this.message;
    this.field = document.field ?? null;
    this.remedy = document.remedy ?? null;
  }
}

/** No answer, or one that means "try again": nothing is known to have happened. */
export class Unreachable extends Error {}

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** Awaits one call of the client.
 * @throws Problem when the server refuses.
 * @throws Unreachable when it cannot be reached or is not able to answer now. */
export async function answered<T>(call: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await call;
  } catch (error) {
    throw new Unreachable("The server did not answer.", { cause: error });
  }
  const { data, error, response } = answer;
  if (response.status >= 500 || response.status === 429) {
    throw new Unreachable(`The server answered ${response.status}.`);
  }
  if (!response.ok) {
    const document = typeof error === "object" && error !== null ? error : {};
    throw new Problem(response.status, document);
  }
  return data as T;
}

/** Gives up a call that hangs, as a server that vanished mid-answer makes it. */
export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
