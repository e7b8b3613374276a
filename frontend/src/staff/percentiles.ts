// Which percentiles of a latency are told.
// SPDX-License-Identifier: Apache-2.0
import type { LatencyDistribution } from "../api/generated";

/** From the median up: what is late is felt. */
export const UPPER_PERCENTILES = [
  "p50_us",
  "p90_us",
  "p95_us",
  "p98_us",
  "p99_us",
  "p999_us",
  "max_us",
] as const satisfies readonly (keyof LatencyDistribution)[];
