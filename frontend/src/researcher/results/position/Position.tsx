// Fatigue and practice: whether answers change in the course of a session.
// SPDX-License-Identifier: Apache-2.0

import type { Estimate, PositionFindings, StudyResults } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { counted } from "../../../staff/format";
import { Forest, type ForestRow } from "../Forest";
import { differences, saidTest } from "../scale";

const ANSWERS: Partial<Record<PositionFindings["scale"], string>> = {
  preference: "Share for the second-named",
  ccr: "Score of the second-named",
  acr: "Score",
  dcr: "Score",
  mushra: "Score, 0 to 100",
};

export function Position({ results }: { readonly results: StudyResults }) {
  const { positions } = results;
  if (positions.length === 0) return null;
  const shares = positions.flatMap(({ block, scale, answer, told }) => [
    ...(scale === "preference" ? rowOf(block, ANSWERS[scale], answer) : []),
    ...rowOf(block, "Share that tells of a difference", told),
  ]);
  const scores = positions.flatMap(({ block, scale, answer }) =>
    scale === "preference" ? [] : rowOf(block, ANSWERS[scale], answer),
  );
  return (
    <TitledCard id="position" title="In the course of the session">
      <p className={look.note}>
        How much answers change per ten trials later in the session, each trial at a level of its
        own: people tire, or learn what to listen for. A change is no effect of a condition, as
        trials come in another order to each participant. These are exploratory.
      </p>
      {[
        { title: "Changes of shares (1: 100 points)", rows: shares },
        { title: "Changes of scores", rows: scores },
      ]
        .filter(({ rows }) => rows.length > 0)
        .map(({ title, rows }) => (
          <Forest
            key={title}
            title={title}
            scale={differences(rows.map(({ estimate }) => estimate))}
            rows={rows}
            ends={["less, later", "more, later"]}
          />
        ))}
    </TitledCard>
  );
}

const rowOf = (block: string, label = "Answer", estimate: Estimate | null): ForestRow[] =>
  estimate === null
    ? []
    : [
        {
          id: `${block} ${label}`,
          label,
          detail: `${block} · ${counted(estimate.votes, "vote")}${saidTest(estimate)}`,
          estimate,
        },
      ];
