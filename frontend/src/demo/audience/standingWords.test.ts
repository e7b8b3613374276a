import { expect, test } from "vitest";
import { hasBegun, standingWords } from "./standingWords";

test("the first take is waited for, any other begins afresh", () => {
  const opening = { stage: "opening", take: 1 } as const;
  expect(standingWords(opening, hasBegun(opening))).toBe("audience.waiting");
  const running = { stage: "running", take: 1 } as const;
  expect(standingWords(running, true)).toBeNull();
  // As when letters are drawn: the old take has not been left yet.
  expect(standingWords(opening, hasBegun(running))).toBe("audience.anew");
  const next = { stage: "opening", take: 2 } as const;
  expect(standingWords(next, hasBegun(next))).toBe("audience.anew");
});

test("a demo that waits for its presenter stands still", () => {
  expect(standingWords({ stage: "stopped", take: 2 }, true)).toBe("audience.stopped");
});
