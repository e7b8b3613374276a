// An estimate for tests, which say only what they are about.
// SPDX-License-Identifier: Apache-2.0
import type { Estimate } from "../../api/generated";

export const madeUpEstimate = (told: Partial<Estimate>): Estimate => ({
  measure: "m",
  value: 0.5,
  low: null,
  high: null,
  null_value: null,
  p_value: null,
  p_adjusted: null,
  votes: 1,
  participants: 1,
  recordings: 1,
  scope: "these_recordings",
  these: null,
  method: "m",
  sentence: "s",
  parameter: null,
  ...told,
});
