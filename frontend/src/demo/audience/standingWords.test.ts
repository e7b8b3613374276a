import { expect, test } from "vitest";
import { standingWords } from "./standingWords";

test("the first take is waited for, any other begins afresh", () => {
  expect(standingWords({ stage: "opening", take: 0 })).toBe("audience.waiting");
  expect(standingWords({ stage: "opening", take: 1 })).toBe("audience.waiting");
  expect(standingWords({ stage: "opening", take: 2 })).toBe("audience.anew");
});

test("nothing is said of a demo that runs", () => {
  expect(standingWords({ stage: "running", take: 2 })).toBeNull();
  expect(standingWords({ stage: "stopped", take: 2 })).toBe("audience.stopped");
});
