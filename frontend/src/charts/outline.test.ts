// A waveform's outline and the places of its events.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { outlinePath, wideEnough } from "./outline";

test("the outline goes along the top and back along the bottom", () => {
  expect(outlinePath([-0.5, -1], [0.25, 1])).toBe("M0 -0.25L1 -1L1 1L0 0.5Z");
  expect(outlinePath([], [])).toBe("");
});

test("an event lies where it happened, and can be seen", () => {
  const concealed = { kind: "concealed", at_ms: 500, length_ms: 250 };
  expect(wideEnough(concealed, 1000)).toEqual({ left: "50%", width: "25%" });
  const short = { kind: "silent", at_ms: 0, length_ms: 0.1 };
  expect(wideEnough(short, 1000)).toEqual({ left: "0%", width: "0.15%" });
  // 300 ms of the source are missing: in the recording that is an instant.
  const dropped = { kind: "dropped", at_ms: 900, length_ms: 300 };
  expect(wideEnough(dropped, 1000)).toEqual({ left: "90%", width: "0.15%" });
});
