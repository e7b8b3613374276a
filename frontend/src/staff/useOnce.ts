// What is asked for once and never changes; again only while the server is away.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";
import { Problem } from "../api/client";

export interface Once<T> {
  readonly data: T | null;
  /** Why there is none. */
  readonly problem: string | null;
}

const RETRY_MS = 2_000;

export function useOnce<T>(id: number | null, ask: (id: number) => Promise<T>): Once<T> {
  const [answer, setAnswer] = useState<Once<T>>({ data: null, problem: null });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `ask` is a constant of its module
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
          setAnswer({
            data: null,
            problem: [error.message, error.remedy].filter(Boolean).join(" "),
          });
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
