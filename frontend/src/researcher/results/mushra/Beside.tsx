// Conditions that were rated beside their reference, 0 to 100 (ITU-R BS.1534-3): how their scores
// spread, their means, and by how much they differ.
// SPDX-License-Identifier: Apache-2.0

import type { BesideDifference, BesideFindings, StudyResults } from "../../../api/generated";
import { Card } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Tag } from "../../../design/Tag";
import { counted } from "../../../staff/format";
import { Forest, type ForestRow } from "../Forest";
import { BESIDE, differences, saidTest } from "../scale";
import { BoxPlot } from "./BoxPlot";

const ENDS = ["bad", "excellent"] as const;

export function Beside({ results }: { readonly results: StudyResults }) {
  const blocks = [...new Set(results.beside.map(({ block }) => block))];
  return blocks.map((block) => {
    const conditions = results.beside.filter((one) => one.block === block);
    const compared = results.beside_differences.filter((one) => one.block === block);
    const scale = differences(compared.map(({ difference }) => difference));
    const of = blocks.length > 1 ? ` · ${block}` : "";
    const title = `Scores beside the reference${of}`;
    const id = `beside-${block}`;
    return (
      <Card key={block} aria-labelledby={id}>
        <h2 id={id}>
          Scores beside the reference <span className={look.soft}>{of}</span>
        </h2>
        <p className={look.note}>
          Boxes are from quartile to quartile with the median in them; whiskers reach to the last
          score within one and a half times as much, and dots are scores beyond.
        </p>
        <BoxPlot title={title} scale={BESIDE} rows={conditions} ends={ENDS} />
        <h3>Means</h3>
        <Forest
          title={`Mean scores${of}`}
          scale={BESIDE}
          rows={conditions.map(meanOf)}
          ends={ENDS}
        />
        {compared.length > 0 && (
          <>
            <h3>By how much they differ</h3>
            <Forest
              title={`Differences of mean scores${of}`}
              scale={scale}
              rows={compared.map(differenceOf)}
              ends={["worse", "better"]}
            />
          </>
        )}
      </Card>
    );
  });
}

function meanOf({ condition, clip, mean }: BesideFindings): ForestRow {
  return {
    id: `${condition} ${clip ?? ""}`,
    label: condition,
    detail: `${clip ?? "all clips"} · ${counted(mean.votes, "rating")}`,
    strong: clip === null,
    estimate: mean,
  };
}

function differenceOf(one: BesideDifference): ForestRow {
  const { condition_a: a, condition_b: b, to_reference, primary, difference } = one;
  return {
    id: `${a} ${b}`,
    label: (
      <>
        {b} against {to_reference ? "the hidden reference" : a} {primary && <Tag>Primary</Tag>}
      </>
    ),
    detail: `${counted(difference.participants, "participant")}, ${counted(difference.recordings, "recording")}${saidTest(difference)}`,
    strong: to_reference,
    estimate: difference,
  };
}
