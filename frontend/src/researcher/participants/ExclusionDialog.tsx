// The researcher's word on one participant, with its reason.
// SPDX-License-Identifier: Apache-2.0
import { answered, api, patience } from "../../api/client";
import type { ParticipantRow } from "../../api/generated";
import { ReasonDialog } from "../ReasonDialog";
import { useStudy } from "../useStudy";

interface ExclusionDialogProps {
  readonly participant: ParticipantRow;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function ExclusionDialog({ participant, onDone, onClose }: ExclusionDialogProps) {
  const { study } = useStudy();
  const { pseudonym, left_out, flags } = participant;
  const name = left_out ? "Take in again" : "Leave out";
  return (
    <ReasonDialog
      title={`${name} ${pseudonym}?`}
      confirm={name}
      act={(reason) =>
        answered(
          api.POST("/api/researcher/studies/{slug}/participants/{pseudonym}/exclusions", {
            params: { path: { slug: study.slug, pseudonym } },
            body: { excluded: !left_out, reason },
            signal: patience(),
          }),
        )
      }
      onDone={onDone}
      onClose={onClose}
    >
      <p>
        {left_out
          ? "The votes are analysed again."
          : "The votes stay, and are not analysed. Nothing is deleted; you can take it back."}
      </p>
      {left_out && flags.length > 0 && (
        <p>A declared rule leaves this participant out as well, and goes on doing so.</p>
      )}
      {!left_out && study.state.votes_visible && (
        <p>
          You can see the votes of this study. To leave somebody out for a reason that was not
          declared before is then hard to defend.
        </p>
      )}
    </ReasonDialog>
  );
}
