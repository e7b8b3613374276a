// A slow server is asked seldom.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { pace } from "./pace";

test("a quick answer is asked for as often as wanted, a slow one seldom", async () => {
  let now_ms = 0;
  const { timed, pause_ms } = pace(() => now_ms);
  expect(pause_ms(3000)).toBe(3000);
  const takes = (time_ms: number) => async () => {
    now_ms += time_ms;
    return "answer";
  };
  expect(await timed(takes(100))).toBe("answer");
  expect(pause_ms(3000)).toBe(3000);
  await timed(takes(2000));
  expect(pause_ms(3000)).toBe(20_000);
  await timed(takes(10));
  expect(pause_ms(3000)).toBe(3000);
});
