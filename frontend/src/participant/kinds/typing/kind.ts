// Trials that are typed.
// SPDX-License-Identifier: Apache-2.0
import { lazy } from "react";
import type { Kind } from "../kind";

export const kind: Kind<"typed"> = {
  medium: "typed",
  // Not with the rest: who only listens needs no terminal.
  Page: lazy(() => import("./TypingTrial")),
  restAdvice: "rest.advice.typing",
};
