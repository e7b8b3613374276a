// One direction of a path as it may be in a demo: it delays, and loses now and then.
// SPDX-License-Identifier: Apache-2.0
import type { Direction } from "../src/api/generated";

export const plausibleDirection = (delay_ms: number): Direction => ({
  delay_ms,
  jitter_ms: 0,
  loss_share: 0.02,
  gilbert_elliott: null,
  rate_kbit_per_s: 0,
  queue_packets: 0,
  corrupt_share: 0,
  reorder_share: 0,
  duplicate_share: 0,
  queue_bytes: 0,
  queue_discipline: null,
  ecn: false,
  bit_errors: null,
  mtu_bytes: 0,
});
