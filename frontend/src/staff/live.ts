// What a page shows and keeps current: asked for again and again,
// kept on the page while the server is away.
// SPDX-License-Identifier: Apache-2.0
import { useCallback, useEffect, useRef, useState } from "react";
import { Problem, saidBy } from "../api/client";
import { repeated } from "./repeated";

export interface Live<T> {
  readonly data: T | null;
  readonly problem: Problem | null;
  /** The last attempt did not reach the server; `data` is from before. */
  readonly lost: boolean;
  /** What the server said of that, where it answered at all. */
  readonly said: string | null;
  readonly refresh: () => void;
}

/** Asks at once, then every `every_ms(data)`; `ask` must keep its identity. */
export function useLive<T>(ask: () => Promise<T>, every_ms: (data: T | null) => number): Live<T> {
  const [state, setState] = useState<Omit<Live<T>, "refresh">>({
    data: null,
    problem: null,
    lost: false,
    said: null,
  });
  const [round, setRound] = useState(0);
  const pace = useRef(every_ms);
  pace.current = every_ms;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks at once
  useEffect(() => {
    return repeated(async (isOver) => {
      let data: T | null = null;
      try {
        data = await ask();
        if (!isOver()) setState({ data, problem: null, lost: false, said: null });
      } catch (error) {
        if (isOver()) return null;
        if (error instanceof Problem) {
          setState({ data: null, problem: error, lost: false, said: null });
          return null;
        }
        setState((before) => ({ ...before, lost: true, said: saidBy(error) }));
      }
      return pace.current(data);
    });
  }, [ask, round]);
  const refresh = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, refresh };
}
