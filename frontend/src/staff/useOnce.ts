// What is asked for once and never changes; again only while the server is away.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";
import { Problem } from "../api/client";
import { repeated } from "./repeated";

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
    setAnswer({ data: null, problem: null });
    return repeated(async (isOver) => {
      try {
        const data = await ask(id);
        if (!isOver()) setAnswer({ data, problem: null });
      } catch (error) {
        if (!(error instanceof Problem)) return RETRY_MS;
        const problem = [error.message, error.remedy].filter(Boolean).join(" ");
        if (!isOver()) setAnswer({ data: null, problem });
      }
      return null;
    });
  }, [id]);
  return answer;
}
