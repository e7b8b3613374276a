// Trials that are typed, as the desk shows them.
// SPDX-License-Identifier: Apache-2.0
import { lazy } from "react";
import type { ParticipantRow } from "../../../api/generated";
import { counted, delay } from "../../../staff/format";
import type { Kind } from "../kind";
import { Summary } from "./Summary";
import { Tasks } from "./Tasks";
import { Spoilt, Typed } from "./Typed";

export const kind: Kind = {
  medium: "typed",
  stimulus: { title: "Task", of: (trial) => ("task" in trial && trial.task) || null },
  pages: {
    sessions: {
      path: "typing",
      title: "Typing",
      Content: lazy(async () => ({ default: (await import("./Typing")).Typing })),
    },
  },
  plan: { played: () => "Two sessions, then the answer", Stimuli: Tasks },
  monitor: {
    stage: {
      title: "Connection good enough",
      count: ({ connection_checked }) => connection_checked,
    },
    refusal: {
      title: "not let in: network",
      tone: "warn",
      count: ({ connection_failed }) => connection_failed,
    },
    difference: "felt",
    Sessions: Summary,
  },
  checksOf,
  tables: [
    {
      title: "Typing sessions",
      says: "One row a session, void ones too: network, task, what the typist did and felt, what was measured on the lane.",
      path: "typing-sessions",
    },
    {
      title: "Keystrokes",
      says: "One row a key: every instant of its way from the finger to the glyph, and what brought it when it was lost.",
      path: "keystrokes",
    },
  ],
  results: {
    // In a warning it stands above already.
    warning: ({ typed }) => (typed?.spoilt ? typed.sentence : null),
    Warning: Spoilt,
    Figures: Typed,
  },
};

function checksOf({ connection, sessions_void }: ParticipantRow): readonly string[] {
  if (!connection) return [];
  const { passed, rtt_ms, jitter_ms } = connection;
  const found = `${passed ? "" : "too poor: "}${delay(rtt_ms)} ± ${delay(jitter_ms)}`;
  return sessions_void > 0 ? [found, `${counted(sessions_void, "session")} void`] : [found];
}
