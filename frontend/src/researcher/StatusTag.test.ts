// A study is never called open while nobody can join.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { StudyProgress } from "../api/generated";
import { sentenceOf } from "./StatusTag";

function said(closed_by: string | null, ready: boolean, live_lab_problem: string | null): string {
  const state = { closed_by, closed: closed_by !== null };
  return sentenceOf({ state, ready, live_lab_problem } as unknown as StudyProgress);
}

test("a study is called open only where people can join", () => {
  expect(said(null, true, null)).toBe("Open: people can join.");
  expect(said(null, false, null)).toMatch(/^Not open yet/);
  expect(said(null, true, "No host.")).toMatch(/^Nobody new can join/);
  for (const closed_by of ["file", "researcher", "completed", "date", "stopped"]) {
    expect(said(closed_by, false, null)).toMatch(/^Closed/);
  }
});
