// The distribution of numbers that were made up, as the agent tells it.
// SPDX-License-Identifier: Apache-2.0
import type { LatencyDistribution } from "../src/api/generated";

export function distribution(all: readonly number[]): LatencyDistribution {
  const sorted = [...all].sort((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? 0;
  const points = Math.min(80, sorted.length);
  return {
    samples: sorted.length,
    min_us: sorted[0] ?? 0,
    mean_us: sorted.reduce((sum, one) => sum + one, 0) / Math.max(1, sorted.length),
    p50_us: at(0.5),
    p90_us: at(0.9),
    p95_us: at(0.95),
    p98_us: at(0.98),
    p99_us: at(0.99),
    p999_us: at(0.999),
    max_us: sorted.at(-1) ?? 0,
    cdf: Array.from({ length: points }, (_, index) => {
      const share = (index + 1) / points;
      return { latency_us: at(share), share };
    }),
  };
}
