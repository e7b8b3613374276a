// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { plausibleDirection } from "../../../demo-charts/plausibleDirection";
import { marks, withQueue } from "./withQueue";

const CODEL = {
  ...plausibleDirection(20),
  rate_kbit_per_s: 512,
  queue_packets: 40,
  queue_discipline: "codel",
  ecn: true,
} as const;

test("without a rate there is no queue of its own", () => {
  expect(withQueue(CODEL, { rate_kbit_per_s: 0 })).toEqual({
    ...CODEL,
    rate_kbit_per_s: 0,
    queue_discipline: null,
    ecn: false,
  });
});

test("a queue is as long as was said last, in packets or in bytes", () => {
  const bytes = withQueue(CODEL, { queue_bytes: 9000 });
  expect(bytes).toMatchObject({ queue_packets: 0, queue_bytes: 9000, queue_discipline: null });
  expect(withQueue(bytes, { queue_packets: 5 })).toMatchObject({
    queue_packets: 5,
    queue_bytes: 0,
  });
  expect(withQueue(bytes, { queue_discipline: "fq_codel" })).toMatchObject({ queue_bytes: 0 });
  expect(withQueue(bytes, { queue_discipline: "red" })).toMatchObject({ queue_bytes: 9000 });
});

test("only what can mark does", () => {
  expect(withQueue(CODEL, { queue_discipline: "fifo" }).ecn).toBe(false);
  expect(withQueue(CODEL, { queue_discipline: "red" }).ecn).toBe(true);
  expect(marks(withQueue(CODEL, { queue_discipline: null }))).toBe(false);
});

test("what has nothing to do with the queue leaves it alone", () => {
  expect(withQueue(CODEL, { delay_ms: 5 })).toEqual({ ...CODEL, delay_ms: 5 });
});
