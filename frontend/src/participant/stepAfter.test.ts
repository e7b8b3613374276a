// Where refusals of the server lead.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { Problem } from "../api/client";
import type { StudyPage } from "../api/generated";
import { stepAfter } from "./stepAfter";
import type { Joined } from "./steps";

const study = { slug: "demo" } as StudyPage;
const joined: Joined = { study, participant_token: "p", withdraw_token: "w" };
const refusal = (status: number, kind: string) =>
  new Problem(status, { type: `/problems/${kind}`, title: kind, status });

test("a refusal to join leads to a page that says why", () => {
  const at = (status: number, kind: string) =>
    stepAfter(refusal(status, kind), study, null, "consent");
  expect(at(409, "closed")).toEqual({ at: "closed", study });
  expect(at(403, "invitation-used")).toEqual({ at: "invitation-used", study });
  expect(at(403, "invitation-unknown")).toEqual({ at: "invitation-unknown", study });
  expect(at(409, "consent-changed")).toEqual({ at: "consent", study, changed: true });
  expect(at(422, "invalid")).toMatchObject({ at: "failed", study });
});

test("who has joined can leave even where the last place went to somebody else", () => {
  expect(stepAfter(refusal(409, "full"), study, joined, "sending")).toEqual({
    at: "full",
    ...joined,
  });
});

test("an unknown credential means another thing where somebody withdraws", () => {
  const unknown = refusal(401, "unknown-participant");
  expect(stepAfter(unknown, study, joined, "loading")).toEqual({ at: "forgotten", study });
  // The study may be gone; that must not be in the way.
  expect(stepAfter(unknown, null, null, "withdraw")).toEqual({
    at: "withdraw-unknown",
    study: null,
  });
  expect(stepAfter(refusal(410, "withdrawn"), study, joined, "trial").at).toBe("withdrawn");
});

test("without a study there is none, or something failed", () => {
  expect(stepAfter(refusal(404, "no-such-study"), null, null, "loading")).toEqual({
    at: "missing",
  });
  expect(stepAfter(refusal(400, "odd"), null, null, "loading").at).toBe("failed");
});
