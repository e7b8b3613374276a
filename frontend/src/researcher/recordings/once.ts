// What is asked for once and never changes: a recording's result and waveform.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";
import { answered, api, Problem, patience } from "../../api/client";
import type { SessionResult, Waveform } from "../../api/generated";

export interface Once<T> {
  readonly data: T | null;
  /** Why there is none. */
  readonly problem: string | null;
}

const RETRY_MS = 2_000;

function useOnce<T>(id: number | null, ask: (id: number) => Promise<T>): Once<T> {
  const [answer, setAnswer] = useState<Once<T>>({ data: null, problem: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ask` is one of the constants below
  useEffect(() => {
    if (id === null) return;
    let left = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const attempt = async () => {
      try {
        const data = await ask(id);
        if (!left) setAnswer({ data, problem: null });
      } catch (error) {
        if (left) return;
        if (error instanceof Problem) {
          setAnswer({ data: null, problem: [error.message, error.remedy].join(" ") });
        } else {
          timer = setTimeout(() => void attempt(), RETRY_MS);
        }
      }
    };
    setAnswer({ data: null, problem: null });
    void attempt();
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [id]);
  return answer;
}

const askResult = (recording_id: number) =>
  answered<SessionResult>(
    api.GET("/api/researcher/recordings/{recording_id}/result", {
      params: { path: { recording_id } },
      signal: patience(),
    }),
  );

const askWaveform = (recording_id: number) =>
  answered<Waveform>(
    api.GET("/api/researcher/recordings/{recording_id}/waveform", {
      params: { path: { recording_id } },
      signal: patience(),
    }),
  );

export const useResult = (id: number | null): Once<SessionResult> => useOnce(id, askResult);
export const useWaveform = (id: number | null): Once<Waveform> => useOnce(id, askWaveform);
