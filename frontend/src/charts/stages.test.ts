import { expect, test } from "vitest";
import { type ClockLine, lossesOf, stretches } from "./stages";

const KEY: ClockLine = {
  number: 1,
  pressed_us: 1_000_000,
  key_written_us: 8_000,
  key_delivered_us: 73_000,
  echo_written_us: 74_000,
  echo_delivered_us: 139_000,
  painted_us: 160_000,
  key_recovery: "none",
  echo_recovery: null,
};

test("a key's stretches lie end to end from the press to the glyph", () => {
  const found = stretches(KEY);
  expect(found.map(({ stage }) => stage)).toEqual(["in", "key", "editor", "echo", "out"]);
  expect(found[0]?.from_us).toBe(0);
  expect(found.at(-1)?.to_us).toBe(160_000);
  found.slice(1).forEach(({ from_us }, index) => {
    expect(from_us).toBe(found[index]?.to_us);
  });
});

test("what was not seen ends them", () => {
  const found = stretches({ ...KEY, echo_written_us: null });
  expect(found.map(({ stage }) => stage)).toEqual(["in", "key"]);
});

test("a step that a clock puts before the one before it has no length", () => {
  const found = stretches({ ...KEY, echo_written_us: 72_000 });
  expect(found[2]).toEqual({ stage: "editor", from_us: 73_000, to_us: 73_000 });
});

test("losses are told with what they were of and what brought them", () => {
  expect(lossesOf(KEY)).toEqual([]);
  expect(lossesOf({ ...KEY, key_recovery: "timeout", echo_recovery: "bundle" })).toEqual([
    { of: "key", by: "timeout" },
    { of: "echo", by: "bundle" },
  ]);
});
