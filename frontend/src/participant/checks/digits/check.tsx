// Digits in noise.
// SPDX-License-Identifier: Apache-2.0
import type { Check } from "../check";
import { DigitRounds } from "./DigitRounds";

export const check: Check = { test: "digits", Rounds: DigitRounds };
