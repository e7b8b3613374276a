// Gives the page its words, and tells the browser which language they are in.
// SPDX-License-Identifier: Apache-2.0
import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import type { Say } from "./translation";
import { type Speech, speech } from "./words";

const Words = createContext<Speech | null>(null);

/** How this page says things. */
export function useSay(): Say {
  const words = useContext(Words);
  if (!words) throw new Error("Nothing is said outside of <Speaking>.");
  return words.say;
}

/** The language that this page speaks. */
export function useLanguage(): string {
  const words = useContext(Words);
  if (!words) throw new Error("Nothing is said outside of <Speaking>.");
  return words.language;
}

interface SpeakingProps {
  readonly language: string;
  readonly children: ReactNode;
}

/** Shows nothing before there are words; keeps the old ones until new ones are here. */
export function Speaking({ language, children }: SpeakingProps) {
  const [words, setWords] = useState<Speech | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    let left = false;
    speech(language).then(
      (found) => {
        if (left) return;
        document.documentElement.lang = found.language;
        setWords(found);
      },
      (error: unknown) => !left && setFailure(error),
    );
    return () => {
      left = true;
    };
  }, [language]);
  // Without any words the page cannot even say so: whoever mounted it does.
  if (failure && !words) throw failure;
  return words && <Words value={words}>{children}</Words>;
}
