// What is said of trials that are typed.
// SPDX-License-Identifier: Apache-2.0
import type { Words } from "../words";

export const words: Words = {
  medium: "typed",
  invitation: "landing.typed",
  preparing: "preparing.text.typed",
  stored: ({ keep_text }) => [
    "consent.stored.typing",
    keep_text ? "consent.stored.text_kept" : "consent.stored.text_not_kept",
  ],
  restAdvice: "rest.advice.typing",
};
