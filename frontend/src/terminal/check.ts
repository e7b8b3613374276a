// The connection check: the server measures for a few seconds and says whether a
// difference in a terminal could be felt over this network.
// SPDX-License-Identifier: Apache-2.0
import type { Verdict } from "../api/generated";
import { Connection } from "./connection";
import { type OpenTransport, openTransport } from "./transport";

/** The check did not come to a verdict. */
export class Unchecked extends Error {
  /** The server's word for it; null where it could not be reached for too long. */
  readonly code: string | null;

  constructor(code: string | null) {
    super(code ?? "The server cannot be reached.");
    this.code = code;
  }
}

/** Longer than any check takes, connecting included. */
const PATIENCE_MS = 30_000;

/** @throws Unchecked */
export function checkConnection(
  participant_token: string,
  signal: AbortSignal,
  open: OpenTransport = openTransport,
): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const hello = { participant_token, purpose: "check", session_token: null } as const;
    const events = {
      onMessage: (message: { type: string }) => {
        if (message.type !== "verdict") return;
        settled();
        resolve(message as Verdict);
      },
      onRefused: ({ code }: { code: string }) => fail(code),
      onState: () => {},
      onOverrun: () => fail(null),
    };
    const connection = new Connection(hello, events, open);
    const settled = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", leave);
      connection.finish();
    };
    const fail = (code: string | null) => {
      settled();
      reject(new Unchecked(code));
    };
    const leave = () => fail(null);
    const timer = setTimeout(leave, PATIENCE_MS);
    signal.addEventListener("abort", leave);
  });
}
