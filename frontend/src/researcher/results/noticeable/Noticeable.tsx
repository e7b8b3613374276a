// How noticeable a difference was to those who preferred one of two, and to
// those who found one where there is none.
// SPDX-License-Identifier: Apache-2.0

import type { StudyResults } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { counted } from "../../../staff/format";
import { Forest } from "../Forest";
import { Histogram } from "../Spread";
import { STEPS } from "../scale";

export function Noticeable({ results }: { readonly results: StudyResults }) {
  const { noticeable } = results;
  if (noticeable.length === 0) return null;
  const blocks = new Set(noticeable.map(({ block }) => block)).size;
  return (
    <TitledCard id="noticeable" title="How noticeable">
      <p className={look.note}>
        Asked of those who preferred one, from 1 to 4. What a step is worth, the controls tell.
      </p>
      <Forest
        title="How noticeable differences were"
        scale={STEPS}
        rows={noticeable.map(({ block, condition_a, condition_b, preferred, histogram, mean }) => ({
          id: `${block} ${condition_a} ${condition_b} ${preferred}`,
          label: preferred === null ? "In controls" : `Preferred ${preferred}`,
          detail: [
            ...(blocks > 1 ? [block] : []),
            ...(preferred === null
              ? []
              : [`to ${preferred === condition_a ? condition_b : condition_a}`]),
            counted(mean.votes, "vote"),
          ].join(" · "),
          estimate: mean,
          spread: <Histogram counts={histogram} scores={STEPS.ticks} />,
        }))}
      />
    </TitledCard>
  );
}
