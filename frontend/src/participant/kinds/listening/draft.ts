// What was heard of a trial, kept with its draft.
// SPDX-License-Identifier: Apache-2.0
import type { AnyInstrument, Past } from "../../../player/keys";
import type { Draft } from "../../draft";

export const readHeard = (draft: Draft<"trial">): Past | undefined =>
  draft.read().own as Past | undefined;

/** Keeps what was heard whenever the page may be about to go. Ends when what it returns is called. */
export function keepHeard(instrument: AnyInstrument, draft: Draft<"trial">): () => void {
  const keep = () => draft.write({ own: instrument.past() });
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", keep);
  return () => {
    keep();
    removeEventListener("pagehide", keep);
    document.removeEventListener("visibilitychange", keep);
  };
}
