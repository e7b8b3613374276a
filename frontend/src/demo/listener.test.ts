// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { draw } from "./listener";

test("draws UUIDs of version 4, another each time", () => {
  const drawn = Array.from({ length: 1_000 }, draw);
  for (const one of drawn) {
    expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(drawn).size).toBe(drawn.length);
});
