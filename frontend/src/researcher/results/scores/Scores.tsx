// Conditions that are rated: their mean opinion scores, and how they differ.
// SPDX-License-Identifier: Apache-2.0

import type { ConditionFindings, StudyResults } from "../../../api/generated";
import { Card } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Stack } from "../../../design/Stack";
import { Tag } from "../../../design/Tag";
import { counted } from "../../../staff/format";
import { Forest, type ForestRow } from "../Forest";
import { Runs } from "../Runs";
import { Histogram } from "../Spread";
import { differences, OPINIONS, RATINGS, saidTest } from "../scale";

const SCORES = [1, 2, 3, 4, 5];

export function Scores({ results }: { readonly results: StudyResults }) {
  const blocks = [...new Set(results.conditions.map(({ block }) => block))];
  return blocks.map((block) => {
    const conditions = results.conditions.filter((one) => one.block === block);
    const compared = results.differences.filter((one) => one.block === block);
    const id = `scores-${block}`;
    const { title, ends } = RATINGS[conditions[0]?.scale ?? "acr"];
    return (
      <Card key={block} aria-labelledby={id}>
        <h2 id={id}>
          {title} {blocks.length > 1 && <span className={look.soft}>· {block}</span>}
        </h2>
        <Forest title={title} scale={OPINIONS} rows={conditions.map(rowOf)} ends={ends} />
        {compared.length > 0 && (
          <>
            <h3>By how much they differ</h3>
            <Forest
              title={`Differences: ${title.toLowerCase()}`}
              scale={differences(compared.map(({ difference }) => difference))}
              rows={compared.map(({ condition_a: a, condition_b: b, primary, difference }) => ({
                id: `${a} ${b}`,
                label: (
                  <>
                    {b} against {a} {primary && <Tag>Primary</Tag>}
                  </>
                ),
                detail: `${counted(difference.participants, "participant")}, ${counted(difference.recordings, "recording")}${saidTest(difference)}`,
                estimate: difference,
                spread: (
                  <Runs
                    of={`${b} against ${a}`}
                    runs={[]}
                    whole={difference}
                    scale={differences([difference])}
                  />
                ),
              }))}
              ends={["worse", "better"]}
            />
          </>
        )}
      </Card>
    );
  });
}

function rowOf(one: ConditionFindings): ForestRow {
  return {
    id: `${one.condition} ${one.clip ?? ""}`,
    label: one.condition,
    detail: `${one.clip ?? "all clips"} · ${counted(one.mos.votes, "vote")}`,
    strong: one.clip === null,
    estimate: one.mos,
    spread: (
      <Stack gap={3}>
        {one.clip === null && <Histogram counts={one.histogram} scores={SCORES} />}
        <Runs
          of={`${one.condition}, ${one.clip ?? "all clips"}`}
          runs={one.runs}
          whole={one.mos}
          scale={OPINIONS}
        />
      </Stack>
    ),
  };
}
