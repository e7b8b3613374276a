// Stands between the server and the browser where recordings pass. Chromium
// does not keep the body of an answer that a page reads as a stream, so a test
// that wants to know what a page got must hand it over itself.
// SPDX-License-Identifier: Apache-2.0
import type { BrowserContext, Route } from "@playwright/test";

export interface Passing {
  readonly recording_token: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Calls `pass` with every recording; the browser gets what it returns. */
export async function throughUs(
  context: BrowserContext,
  pass: (passing: Passing) => Passing,
): Promise<void> {
  const handOver = async (route: Route) => {
    const recording_token = new URL(route.request().url()).pathname.split("/").at(-1) ?? "";
    // The server closes a connection that was idle for some seconds, at times just
    // when the next request goes out on it. A browser asks again by itself.
    const response = await route.fetch({ maxRetries: 3 });
    if (response.status() !== 200) return route.fulfill({ response });
    const { headers, body } = pass({
      recording_token,
      headers: response.headers(),
      body: await response.body(),
    });
    await route.fulfill({ status: 200, headers, body });
  };
  await context.route("**/api/recordings/*", (route) =>
    handOver(route).catch((error: unknown) => {
      // A page that is loaded again takes back what it had asked for, at times between an
      // answer's head and its body. One that still waits fails for want of it. And a test
      // may end while its page still loads: the next one has nothing to do with that.
      const gone = /has been disposed|Test ended/.test(String(error));
      if (route.request().failure() === null && !gone) throw error;
    }),
  );
}

const HEAD_BYTES = 44;
/** 1 s of 48 kHz, 16 bit, mono: whole seconds, as the page counts what was heard. */
const SHORT_BYTES = 96_000;

/** The beginning of a recording, for listeners in a hurry: 27 trials of 8 s are an hour's quarter. */
export function shortened(passing: Passing): Passing {
  const samples = passing.body.subarray(HEAD_BYTES, HEAD_BYTES + SHORT_BYTES);
  const head = Buffer.from(passing.body.subarray(0, HEAD_BYTES));
  head.writeUInt32LE(HEAD_BYTES - 8 + samples.byteLength, 4);
  head.writeUInt32LE(samples.byteLength, HEAD_BYTES - 4);
  const body = Buffer.concat([head, samples]);
  const headers = { ...passing.headers, "content-length": String(body.byteLength) };
  return { ...passing, headers, body };
}
