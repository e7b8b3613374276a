// Trials that are heard.
// SPDX-License-Identifier: Apache-2.0
import type { Kind } from "../kind";
import { ListeningTrial } from "./ListeningTrial";

export const kind: Kind<"heard"> = {
  medium: "heard",
  Page: ListeningTrial,
  restAdvice: "rest.advice",
};
