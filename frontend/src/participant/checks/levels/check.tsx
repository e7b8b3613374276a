// Which of two tones is the louder one.
// SPDX-License-Identifier: Apache-2.0
import type { Check, RoundsProps } from "../check";
import { OneOfSome } from "../OneOfSome";

const LevelsRounds = (props: RoundsProps) => <OneOfSome test="levels" {...props} />;

export const check: Check = { test: "levels", Rounds: LevelsRounds };
