// Reaching the study's server: whatever must arrive is tried again until it
// does, and the page can tell whether the server is lost just now.
// SPDX-License-Identifier: Apache-2.0
import { useSyncExternalStore } from "react";
import { Unreachable } from "../api/client";

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8_000;

/** How long to wait after the given number of failures in a row, in ms. */
export function backoff_ms(failures: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
}

/** Long enough to read that all is well again. */
const RELIEF_MS = 4_000;

/** `lost` from the first failed attempt until the server answers, then `back` for a moment.
 * `busy` and `no-host`: it has answered that it cannot just now. */
export type Connection = "fine" | "lost" | "busy" | "no-host" | "back";

const listeners = new Set<() => void>();
let connection: Connection = "fine";
let relief: ReturnType<typeof setTimeout> | undefined;

function change(to: Connection): void {
  connection = to;
  for (const listener of listeners) listener();
}

function report(now: Exclude<Connection, "back">): void {
  const before = connection;
  if (now === before || (now === "fine" && before === "back")) return;
  clearTimeout(relief);
  // Who has only waited has missed nothing, and need not be told that all is well again.
  change(now === "fine" && before === "lost" ? "back" : now);
  if (connection === "back") relief = setTimeout(() => change("fine"), RELIEF_MS);
}

/** What the server says when it has too much to do, was asked too often from here, or
 * has lost the machine that is typed on. */
const WHY: Readonly<Record<string, "busy" | "no-host">> = {
  busy: "busy",
  "too-much": "busy",
  "no-host": "no-host",
};

const whyUnreachable = ({ said }: Unreachable) => (said && WHY[said.kind]) || "lost";

export const connectionNow = (): Connection => connection;

export const useConnection = (): Connection =>
  useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, connectionNow);

/** Ends after the time, or at once when the browser is online again. */
function pause(wait_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener("online", done);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, wait_ms);
    addEventListener("online", done);
    signal?.addEventListener("abort", done);
  });
}

interface Persistence {
  readonly signal?: AbortSignal | undefined;
  readonly wait?: (wait_ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Repeats `attempt` until the server answers; a refusal is an answer.
 * @throws whatever `attempt` throws other than Unreachable, or the signal's reason. */
export async function reach<T>(
  attempt: () => Promise<T>,
  { signal, wait = pause }: Persistence = {},
): Promise<T> {
  for (let failures = 1; ; failures++) {
    signal?.throwIfAborted();
    try {
      const result = await attempt();
      report("fine");
      return result;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Unreachable)) {
        report("fine");
        throw error;
      }
      report(whyUnreachable(error));
      await wait(backoff_ms(failures), signal);
    }
  }
}
