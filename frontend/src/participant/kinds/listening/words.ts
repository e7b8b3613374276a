// What is said of trials that are heard.
// SPDX-License-Identifier: Apache-2.0
import type { Words } from "../words";

export const words: Words = {
  medium: "heard",
  invitation: "landing.heard",
  stored: () => ["consent.stored.text"],
  restAdvice: "rest.advice",
};
