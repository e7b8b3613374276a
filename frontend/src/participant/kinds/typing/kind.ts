// Trials that are typed.
// SPDX-License-Identifier: Apache-2.0
import { lazy } from "react";
import type { Kind } from "../kind";

export const kind: Kind<"typed"> = {
  medium: "typed",
  // Not with the rest: who only listens needs no terminal.
  Page: lazy(() => import("./TypingTrial")),
  check: {
    stage: "connection_check",
    failed: {
      stage: "connection_failed",
      said: {
        title: "check.failed.title",
        text: "check.failed.text",
        thanks: "check.failed.thanks",
      },
    },
    isDone: ({ connection_checked }) => connection_checked,
    step: (joined, { connection_tries: tries }) => ({ at: "connection", ...joined, tries }),
  },
};
