// Trials that are heard.
// SPDX-License-Identifier: Apache-2.0
import { lazy } from "react";
import type { Kind } from "../kind";
import { fetchFiles } from "./files";

const load = () => import("./ListeningTrial");

export const kind: Kind<"heard"> = {
  medium: "heard",
  // Not with the rest: who only types needs no player.
  Page: lazy(async () => ({ default: (await load()).ListeningTrial })),
  check: {
    stage: "sound_check",
    failed: {
      stage: "headphones_failed",
      said: {
        title: "headphones.failed.title",
        text: "headphones.failed.text",
        thanks: "headphones.failed.thanks",
      },
    },
    isDone: ({ sound_checked }) => sound_checked,
    step: (joined, { headphones, headphone_signal }) => ({
      at: "sound",
      ...joined,
      headphones,
      headphone_signal,
    }),
  },
  // The page with its recordings: a trial that is here can be shown without any network.
  fetch: async (...asked) => (await Promise.all([fetchFiles(...asked), load()]))[0],
};
