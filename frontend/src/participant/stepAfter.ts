// Where a refusal of the server leads to.
// SPDX-License-Identifier: Apache-2.0
import type { Problem } from "../api/client";
import type { StudyPage } from "../api/generated";
import type { Joined, Step } from "./steps";

const STATES = [
  "closed",
  "preparing",
  "full",
  "invitation-needed",
  "invitation-used",
  "invitation-unknown",
  "panel-needed",
  "took-part",
] as const;

/** `study` is null while it has not been loaded, `joined` before there is a
 * participation, `from` is where the refusal was met. */
export function stepAfter(
  problem: Problem,
  study: StudyPage | null,
  joined: Joined | null,
  from: Step["at"],
): Step {
  if (from === "withdraw" && problem.status === 401) return { at: "withdraw-unknown", study };
  if (problem.kind === "withdrawn") return { at: "withdrawn", study };
  if (!study) return problem.status === 404 ? { at: "missing" } : { at: "failed", problem };
  const state = STATES.find((kind) => kind === problem.kind);
  if (state) return { at: state, study, ...joined };
  if (problem.kind === "consent-changed") return { at: "consent", study, changed: true };
  if (problem.status !== 401) return { at: "failed", problem, study };
  return { at: "forgotten", study };
}
