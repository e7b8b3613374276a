// What every page of one study needs: the study itself, and who is told when
// the researcher was signed out meanwhile.
// SPDX-License-Identifier: Apache-2.0
import { createContext, useContext } from "react";
import type { StudyOverview } from "../api/generated";

export interface StudyPage {
  readonly study: StudyOverview;
  /** One of the things that the page is about, by the last part of the address. */
  readonly item: string | null;
  /** After something was done that the study's state depends on. */
  readonly refresh: () => void;
  readonly onSignedOut: () => void;
}

export const StudyContext = createContext<StudyPage | null>(null);

/** The study whose page this is. */
export function useStudy(): StudyPage {
  const page = useContext(StudyContext);
  if (!page) throw new Error("useStudy outside of a study's pages");
  return page;
}
