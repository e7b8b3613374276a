// Where a refusal of the server leads to.
// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "../api/client";
import type { StudyPage } from "../api/generated";
import type { Step } from "./steps";

const STATES = [
  "closed",
  "preparing",
  "full",
  "invitation-needed",
  "invitation-unknown",
  "withdrawn",
] as const;

/** `study` is null while it has not been loaded, `from` where the refusal was met. */
export function stepAfter(problem: Problem, study: StudyPage | null, from: Step["at"]): Step {
  if (!study) return problem.status === 404 ? { at: "missing" } : { at: "failed", problem };
  const state = STATES.find((kind) => kind === problem.kind);
  if (state) return { at: state, study };
  if (problem.kind === "consent-changed") return { at: "consent", study, changed: true };
  if (problem.status !== 401) return { at: "failed", problem, study };
  return { at: from === "withdraw" ? "withdraw-unknown" : "forgotten", study };
}
