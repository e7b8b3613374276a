// Progress of recordings in words.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { failuresOf, headline, timeLeft } from "./progress";

test("the headline names what there is, and only that", () => {
  expect(headline({ total: 5, ready: 5, under_way: 0, failed: 0 })).toBe(
    "All 5 recordings are ready.",
  );
  expect(headline({ total: 5, ready: 2, under_way: 1, failed: 2 })).toBe(
    "2 of 5 recordings are ready, 1 is being made, 2 failed.",
  );
  expect(headline({ total: 5, ready: 0, under_way: 0, failed: 0 })).toBe(
    "0 of 5 recordings are ready.",
  );
});

test("time left is as exact as it deserves", () => {
  expect([null, 3, 42, 300, 7_200].map(timeLeft)).toEqual([
    "How long it takes will show after the first.",
    "A few seconds left.",
    "About 50 seconds left.",
    "About 5 minutes left.",
    "About 2.0 hours left.",
  ]);
});

test("a problem that many recordings have is told once", () => {
  const member = (name: string, status: string, problem: string | null) => ({
    status,
    problem,
    remedy: problem && "Mend it.",
    condition: { name },
  });
  const run = (number: number, ...members: object[]) => ({ run: number, members });
  const trials = [
    {
      id: "speech",
      runs: [
        run(1, member("plain", "failed", "Full."), member("rapid_resend", "ready", null)),
        run(2, member("plain", "failed", "Full."), member("rapid_resend", "failed", "Away.")),
      ],
    },
    { id: "song", runs: [run(1, member("plain", "failed", "Full."))] },
  ];
  expect(failuresOf({ trials } as unknown as Parameters<typeof failuresOf>[0])).toEqual([
    {
      problem: "Full.",
      remedy: "Mend it.",
      where: ["speech (plain, run 1)", "speech (plain, run 2)", "song (plain)"],
    },
    { problem: "Away.", remedy: "Mend it.", where: ["speech (rapid resend, run 2)"] },
  ]);
});
