// What every page of one study needs: the study itself, and who is told when
// the researcher was signed out meanwhile; and how the server is asked of it.
// SPDX-License-Identifier: Apache-2.0
import { createContext, useContext } from "react";
import { patience } from "../api/client";
import type { Monitor, StudyOverview } from "../api/generated";

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

/** With what a call asks the server of one study. */
export const ofStudy = (slug: string) => ({ params: { path: { slug } }, signal: patience() });

/** The same of people, bots or previews alone. */
export const ofKind = (slug: string, kind: Monitor["kind"]) => ({
  params: { path: { slug }, query: { kind } },
  signal: patience(),
});
