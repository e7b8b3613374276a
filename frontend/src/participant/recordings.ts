// Fetches sounds whole, and tells how far it is.
// SPDX-License-Identifier: Apache-2.0
import { api, Problem, Unreachable } from "../api/client";
import type { HearingTry } from "../api/generated";
import type { Members, Side } from "../player/pair";
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

/** A recording of a trial.
 * @throws Problem when the server no longer gives it (the trial is done). */
export function fetchRecording(
  recording_token: string,
  participant_token: string,
  onProgress: OnProgress,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  return reach(
    () =>
      download(
        api.GET("/api/recordings/{recording_token}", {
          params: { path: { recording_token } },
          ...askedBy(participant_token, signal),
        }),
        (received, total) => onProgress(total > 0 ? received / total : 0),
      ),
    { signal },
  );
}

/** Both members of a study's sample, which everybody may hear. */
export async function fetchSample(
  slug: string,
  signal: AbortSignal,
): Promise<Members<ArrayBuffer>> {
  const fetchSide = (side: Side) =>
    reach(
      () =>
        download(
          api.GET("/api/studies/{slug}/sample/{side}", {
            params: { path: { slug, side } },
            parseAs: "stream",
            signal: within(signal),
          }),
          () => {},
        ),
      { signal },
    );
  const [first, second] = await Promise.all([fetchSide("first"), fetchSide("second")]);
  return { first, second };
}

/** How any sound is asked for; each attempt has a time limit of its own. */
const askedBy = (participant_token: string, signal: AbortSignal) => ({
  headers: { Authorization: `Bearer ${participant_token}` },
  parseAs: "stream" as const,
  signal: within(signal),
});

/** A round of the headphone test, 1 and up. */
export function fetchHeadphoneRound(
  number: number,
  round: number,
  participant_token: string,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  const request = () =>
    api.GET("/api/participation/headphones/{number}/{round}", {
      params: { path: { number, round } },
      ...askedBy(participant_token, signal),
    });
  return reach(() => download(request(), () => {}), { signal });
}

/** A round of a test of hearing, 1 and up. */
export function fetchHearingRound(
  test: HearingTry["test"],
  number: number,
  round: number,
  participant_token: string,
  signal: AbortSignal,
): Promise<ArrayBuffer> {
  const request = () =>
    api.GET("/api/participation/hearing/{test}/{number}/{round}", {
      params: { path: { test, number, round } },
      ...askedBy(participant_token, signal),
    });
  return reach(() => download(request(), () => {}), { signal });
}

/** The excerpt to set the level by. */
export function fetchSoundCheck(slug: string, signal: AbortSignal): Promise<ArrayBuffer> {
  return reach(
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
}
