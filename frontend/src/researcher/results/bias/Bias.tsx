// What is no preference: leaning to a place, and differences heard where there
// are none. Reported as bias, never added to what was found.
// SPDX-License-Identifier: Apache-2.0

import type { StudyResults } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { counted } from "../../../staff/format";
import { Forest, type ForestRow } from "../Forest";
import { differences, SHARES } from "../scale";

export function Bias({ results }: { readonly results: StudyResults }) {
  const { order_effects, controls, identical } = results;
  if (order_effects.length === 0 && controls.length === 0) return null;
  const shares: ForestRow[] = [];
  const scores: ForestRow[] = [];
  for (const { block, scale, effect } of order_effects) {
    (scale === "preference" ? shares : scores).push({
      id: `order ${block}`,
      label: "Order effect",
      detail: `${block} · ${effect.measure}`,
      estimate: effect,
    });
  }
  for (const { block, scale, false_differences, side, votes } of controls) {
    if (false_differences) {
      shares.push({
        id: `false ${block}`,
        label: "False differences in controls",
        detail: `${block} · ${counted(votes, "vote")} on two that are alike`,
        estimate: false_differences,
      });
    }
    if (side) {
      (scale === "preference" ? shares : scores).push({
        id: `side ${block}`,
        label: "Side in controls",
        detail: `${block} · ${side.measure}`,
        estimate: side,
      });
    }
  }
  return (
    <TitledCard id="bias" title="Bias">
      <p className={look.note}>
        Leaning to what comes first, and differences found between two that are alike. Both are
        measured beside the preferences, and taken out of them where that can be done.
      </p>
      {identical.length > 0 && (
        <>
          <p>Among the controls are pairs whose two recordings came out as the same bytes:</p>
          <ul>
            {identical.map(({ trial_id, sentence }) => (
              <li key={trial_id}>{sentence}</li>
            ))}
          </ul>
        </>
      )}
      {shares.length > 0 && <Forest title="Leaning, as shares" scale={SHARES} rows={shares} />}
      {scores.length > 0 && (
        <Forest
          title="Leaning, as scores"
          scale={differences(scores.map((row) => row.estimate))}
          rows={scores}
        />
      )}
    </TitledCard>
  );
}
