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
export class Unreachable extends Error {
  /** What the server says of it, where it was able to answer that much. */
  readonly said: Problem | null;

  constructor(
    message?: string,
    { cause, said = null }: { cause?: unknown; said?: Problem | null } = {},
  ) {
    super(message, { cause });
    this.said = said;
  }
}

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
    const said = isDocument(error) ? new Problem(response.status, error) : null;
    throw new Unreachable(`The server answered ${response.status}.`, { said });
  }
  if (!response.ok) throw new Problem(response.status, isDocument(error) ? error : {});
  return data as T;
}

/** A gateway in between answers without one. */
const isDocument = (error: unknown): error is Partial<ProblemDocument> =>
  typeof error === "object" && error !== null && "title" in error;

/** What went wrong and what to do, in the server's words; null where it said nothing. */
export function saidBy(error: unknown): string | null {
  const problem = error instanceof Unreachable ? error.said : error;
  if (!(problem instanceof Problem)) return null;
  const { message, detail, remedy } = problem;
  return [message, detail === message ? null : detail, remedy].filter(Boolean).join(" ");
}

/** Gives up a call that hangs, as a server that vanished mid-answer makes it. */
export const patience = (): AbortSignal => AbortSignal.timeout(PATIENCE_MS);
