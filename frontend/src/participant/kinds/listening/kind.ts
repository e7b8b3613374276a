// Trials that are heard.
// SPDX-License-Identifier: Apache-2.0
import type { Kind } from "../kind";
import { fetchFiles } from "./files";
import { ListeningTrial } from "./ListeningTrial";

export const kind: Kind<"heard"> = {
  medium: "heard",
  Page: ListeningTrial,
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
    step: (joined, { headphones }) => ({ at: "sound", ...joined, headphones }),
  },
  fetch: fetchFiles,
};
