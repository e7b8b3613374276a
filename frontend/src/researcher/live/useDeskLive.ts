// What a page of the desk keeps current, at a pace that leaves the server its time.
// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useState } from "react";
import { type Live, useLive } from "../../staff/live";
import { useStudy } from "../useStudy";
import { pace } from "./pace";

/** Asks as `useLive` does, but never so often that asking takes more than a share of the time.
 * Leads back to the sign-in page as soon as an answer says that the session is over. */
export function useDeskLive<T>(
  ask: () => Promise<T>,
  every_ms: (data: T | null) => number,
  onSignedOut: () => void,
): Live<T> {
  const [{ timed, pause_ms }] = useState(() => pace());
  const askTimed = useCallback(() => timed(ask), [ask, timed]);
  const live = useLive(askTimed, (data) => pause_ms(every_ms(data)));
  const signedOut = live.problem?.status === 401;
  useEffect(() => {
    if (signedOut) onSignedOut();
  }, [signedOut, onSignedOut]);
  return live;
}

/** The same for the study whose page this is, and for a part `of` it where `ask` wants one; `ask`
 * must keep its identity. */
export function useStudyLive<T, Of = undefined>(
  ask: (slug: string, of: Of) => Promise<T>,
  every_ms: (data: T | null) => number,
  of?: Of,
): Live<T> {
  const { study, onSignedOut } = useStudy();
  const { slug } = study;
  const askOfIt = useCallback(() => ask(slug, of as Of), [ask, slug, of]);
  return useDeskLive(askOfIt, every_ms, onSignedOut);
}
