// Numbers as the researcher reads them.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { delay, duration, milliseconds, percent } from "./format";

test("shares keep what tells them apart", () => {
  expect([0, 0.02, 0.0195, 0.412, 1].map(percent)).toEqual([
    "0 %",
    "2 %",
    "1.95 %",
    "41.2 %",
    "100 %",
  ]);
});

test("latencies come in milliseconds", () => {
  expect([1_234, 65_123, 1_234_567].map(milliseconds)).toEqual(["1.23 ms", "65.1 ms", "1235 ms"]);
});

test("long times come in seconds", () => {
  expect([0, 420.4, 60_000].map(duration)).toEqual(["0 ms", "420 ms", "60.0 s"]);
});

test("a delay has a decimal while that can be told, and a dash where there is none", () => {
  expect([delay(4.26), delay(130.7), delay(null)]).toEqual(["4.3 ms", "131 ms", "–"]);
});
