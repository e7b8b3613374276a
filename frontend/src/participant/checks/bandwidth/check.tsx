// Which of three noises is the brighter one.
// SPDX-License-Identifier: Apache-2.0
import type { Check, RoundsProps } from "../check";
import { OneOfSome } from "../OneOfSome";

const BandwidthRounds = (props: RoundsProps) => <OneOfSome test="bandwidth" {...props} />;

export const check: Check = { test: "bandwidth", Rounds: BandwidthRounds };
