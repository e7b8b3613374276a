// A study's state in one word, and in one sentence.
// SPDX-License-Identifier: Apache-2.0

import type { StudyProgress, StudyStatus } from "../api/generated";
import { Tag } from "../design/Tag";

export function StatusTag({ study }: { readonly study: StudyProgress }) {
  if (study.state.closed) return <Tag>Closed</Tag>;
  if (!study.ready) return <Tag tone="warn">No recordings yet</Tag>;
  if (study.live_lab_problem) return <Tag tone="warn">Nothing to type on</Tag>;
  return <Tag tone="good">Open</Tag>;
}

/** Why nobody more is taken, or that people are. */
export function sentenceOf({
  state,
  ready,
  live_lab_problem,
}: Pick<StudyProgress, "state" | "ready" | "live_lab_problem">): string {
  switch (state.closed_by) {
    case "file":
      return "Closed: its file says that it is not open.";
    case "researcher":
      return "Closed by you.";
    case "completed":
      return "Closed: as many sessions are complete as the stop rule asks for.";
    case "date":
      return "Closed: the day of the stop rule has come.";
    case "stopped":
      return "Closed: it had ended, and its votes were seen then. Only you can reopen it.";
    default:
      if (!ready) return "Not open yet: nobody can join before all recordings are ready.";
      if (live_lab_problem) return "Nobody new can join just now, as nobody can type.";
      return "Open: people can join.";
  }
}

/** Whether votes can be seen, and why. */
export function sightOf(state: StudyStatus): string {
  switch (state.visible_because) {
    case "always":
      return "The study declares that votes are always visible.";
    case "closed":
      return "How people voted can be seen: the study is closed.";
    case "unblinded":
      return "How people voted was made visible before the end.";
    default:
      return "How people voted is hidden until the study is closed or its stop rule is met.";
  }
}
