// Fetches the sounds of a page whole, and tells how far it is.
// SPDX-License-Identifier: Apache-2.0
import { api, Problem, Unreachable } from "../api/client";
import type { OpenTrial } from "../api/generated";
import { decode } from "../player/output";
import type { Member } from "../player/pair";
import { reach } from "./connection";

/** Longer than any recording should take; a stalled transfer is tried again. */
const DOWNLOAD_PATIENCE_MS = 120_000;

/** Share 0…1 of all bytes, once their number is known. */
export type OnProgress = (share: number) => void;

type OnBytes = (received: number, total: number) => void;

interface Streamed {
  readonly data?: ReadableStream<Uint8Array<ArrayBuffer>> | null;
  readonly error?: unknown;
  readonly response: Response;
}

async function download(call: Promise<Streamed>, onBytes: OnBytes): Promise<ArrayBuffer> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw new Unreachable("The server did not answer.", { cause });
  });
  if (response.status >= 500) throw new Unreachable(`The server answered ${response.status}.`);
  if (!response.ok || !data) throw new Problem(response.status, (error ?? {}) as object);
  const total = Number(response.headers.get("Content-Length") ?? 0);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let received = 0;
  try {
    for (const reader = data.getReader(); ; ) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      received += value.byteLength;
      onBytes(received, total);
    }
  } catch (cause) {
    throw new Unreachable("The transfer broke off.", { cause });
  }
  return new Blob(parts).arrayBuffer();
}

const within = (signal: AbortSignal) =>
  AbortSignal.any([signal, AbortSignal.timeout(DOWNLOAD_PATIENCE_MS)]);

/** Both recordings of the open trial, decoded.
 * @throws Problem when the server no longer gives them (the trial is done). */
export async function fetchPair(
  trial: OpenTrial,
  participant_token: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<Record<Member, AudioBuffer>> {
  const share = { first: 0, second: 0 };
  const fetchMember = async (member: Member) => {
    const file = await reach(
      () =>
        download(
          api.GET("/api/recordings/{recording_token}", {
            params: { path: { recording_token: trial[member].recording_token } },
            headers: { Authorization: `Bearer ${participant_token}` },
            parseAs: "stream",
            signal: within(signal),
          }),
          (received, total) => {
            share[member] = total > 0 ? received / total : 0;
            onProgress((share.first + share.second) / 2);
          },
        ),
      { signal },
    );
    return decode(file);
  };
  const [first, second] = await Promise.all([fetchMember("first"), fetchMember("second")]);
  return { first, second };
}

/** The excerpt to set the level by, decoded. */
export async function fetchSoundCheck(slug: string, signal: AbortSignal): Promise<AudioBuffer> {
  const file = await reach(
    () =>
      download(
        api.GET("/api/studies/{slug}/sound-check", {
          params: { path: { slug } },
          parseAs: "stream",
          signal: within(signal),
        }),
        () => {},
      ),
    { signal },
  );
  return decode(file);
}
