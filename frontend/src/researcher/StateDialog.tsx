// Closing, reopening and looking early: what each means, and the reason for it.
// SPDX-License-Identifier: Apache-2.0
import type { ReactNode } from "react";
import { answered, api } from "../api/client";
import { ReasonDialog } from "./ReasonDialog";
import { ofStudy, useStudy } from "./useStudy";

export type StateChange = "close" | "reopen" | "unblind";

interface Change {
  readonly title: string;
  readonly confirm: string;
  readonly meaning: ReactNode;
  readonly act: (slug: string, reason: string) => Promise<unknown>;
}

const CHANGES: Readonly<Record<StateChange, Change>> = {
  close: {
    title: "Close the study?",
    confirm: "Close the study",
    meaning:
      "Nobody else can join; participants who have begun can finish. How people voted can be seen from then on. " +
      "To reopen it afterwards is possible, and recorded as a deviation.",
    act: (slug, reason) =>
      answered(
        api.POST("/api/researcher/studies/{slug}/close", {
          ...ofStudy(slug),
          body: { reason: reason || null },
        }),
      ),
  },
  reopen: {
    title: "Reopen the study?",
    confirm: "Reopen the study",
    meaning:
      "The votes could be seen while it was closed. To take more people after that is a deviation " +
      "from a plan that was made without knowing them, and is recorded as one.",
    act: (slug, reason) =>
      answered(
        api.POST("/api/researcher/studies/{slug}/reopen", { ...ofStudy(slug), body: { reason } }),
      ),
  },
  unblind: {
    title: "Look at the votes early?",
    confirm: "Look early",
    meaning:
      "Who sees the votes while they come in may steer the study, meaning to or not, and a test " +
      "that is looked at again and again finds something by chance. This is recorded as a deviation " +
      "and cannot be undone.",
    act: (slug, reason) =>
      answered(
        api.POST("/api/researcher/studies/{slug}/unblind", { ...ofStudy(slug), body: { reason } }),
      ),
  },
};

interface StateDialogProps {
  readonly change: StateChange;
  readonly onClose: () => void;
}

export function StateDialog({ change, onClose }: StateDialogProps) {
  const { study, refresh } = useStudy();
  const { title, confirm, meaning, act } = CHANGES[change];
  return (
    <ReasonDialog
      title={title}
      confirm={confirm}
      optional={change === "close"}
      act={(reason) => act(study.slug, reason)}
      onDone={() => {
        refresh();
        onClose();
      }}
      onClose={onClose}
    >
      <p>{meaning}</p>
    </ReasonDialog>
  );
}
