// A change to a direction takes along what would contradict it: the lab refuses a queue that
// cannot be.
// SPDX-License-Identifier: Apache-2.0
import type { Direction } from "../../api/generated";

/** Whether its queue can mark packets. */
export const marks = ({ queue_discipline }: Direction): boolean =>
  queue_discipline !== null && queue_discipline !== "fifo";

const countsPackets = ({ queue_discipline }: Direction) =>
  queue_discipline === "codel" || queue_discipline === "fq_codel";

export function withQueue(before: Direction, change: Partial<Direction>): Direction {
  let whole = { ...before, ...change };
  if (change.queue_packets) whole = { ...whole, queue_bytes: 0 };
  if (change.queue_bytes) {
    const queue_discipline = countsPackets(whole) ? null : whole.queue_discipline;
    whole = { ...whole, queue_packets: 0, queue_discipline };
  }
  if (countsPackets(whole)) whole = { ...whole, queue_bytes: 0 };
  if (whole.rate_kbit_per_s === 0) whole = { ...whole, queue_bytes: 0, queue_discipline: null };
  return marks(whole) ? whole : { ...whole, ecn: false };
}
