// Something that is asked of the server at a click: under way, refused with a
// reason, or done.
// SPDX-License-Identifier: Apache-2.0
import { useState } from "react";
import { saidBy } from "../api/client";

export interface Act {
  readonly busy: boolean;
  /** Why it was not done, in words to show; null when nothing is wrong. */
  readonly trouble: string | null;
  /** Whether it was done. */
  readonly run: (act: () => Promise<unknown>) => Promise<boolean>;
  readonly forget: () => void;
}

export function useAct(): Act {
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<string | null>(null);
  const run = async (act: () => Promise<unknown>) => {
    setBusy(true);
    setTrouble(null);
    try {
      await act();
      return true;
    } catch (error) {
      setTrouble(wordsFor(error));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, trouble, run, forget: () => setTrouble(null) };
}

/** In the server's words, where it said any; else it is out of reach. */
export const wordsFor = (error: unknown): string =>
  saidBy(error) ?? "The server cannot be reached. Please try again.";
