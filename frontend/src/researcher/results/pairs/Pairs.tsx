// Conditions compared in pairs: over all trials, then trial by trial.
// SPDX-License-Identifier: Apache-2.0

import type {
  ComparisonFindings,
  Estimate,
  StudyResults,
  TrialFindings,
} from "../../../api/generated";
import { Card } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Stack } from "../../../design/Stack";
import { Tag } from "../../../design/Tag";
import { counted } from "../../../staff/format";
import { Forest, type ForestRow } from "../Forest";
import { Runs } from "../Runs";
import { Histogram, VotesBar } from "../Spread";
import { differences, SHARES, saidTest } from "../scale";

type Pair = ComparisonFindings | TrialFindings;

const SCORES = [-3, -2, -1, 0, 1, 2, 3];

export function Pairs({ results }: { readonly results: StudyResults }) {
  return results.comparisons.map((comparison) => {
    const trials = results.trials.filter((trial) => compares(comparison, trial));
    const rows = [
      ...rowOf(comparison, "all", `over ${counted(comparison.trials, "trial")}`),
      ...trials.flatMap((trial) => rowOf(trial, trial.trial_id, trial.clip)),
    ];
    const { block, condition_a: a, condition_b: b, scale } = comparison;
    const id = `pair-${block}-${a}-${b}`;
    return (
      <Card key={id} aria-labelledby={id}>
        <h2 id={id}>
          {b} against {a}{" "}
          {results.comparisons.some((other) => other !== comparison && other.block !== block) && (
            <span className={look.soft}>· {block}</span>
          )}
        </h2>
        <p className={look.note}>
          {scale === "preference"
            ? `Share that prefers ${b} among those with a preference: counted in each trial; over all trials with the order of presentation taken out.`
            : `How much better ${b} was judged than ${a}, from −3 to +3 (CMOS), the order of presentation taken out.`}
        </p>
        {rows.length > 0 ? (
          <Forest
            title={`${b} against ${a}`}
            scale={scale === "preference" ? SHARES : differences(rows.map((row) => row.estimate))}
            rows={rows}
            ends={[`${a} better`, `${b} better`]}
          />
        ) : (
          <p>Nobody found a difference: there is no preference to estimate.</p>
        )}
      </Card>
    );
  });
}

const compares = (one: Pair, other: Pair): boolean =>
  one.block === other.block &&
  one.condition_a === other.condition_a &&
  one.condition_b === other.condition_b;

/** Of one trial, where everybody votes once, what is tested: the exact share or the mean. Over
 * all trials, where votes repeat, what the model finds with the order effect taken out. */
const estimateOf = (pair: Pair): Estimate | null =>
  "trial_id" in pair ? (pair.share ?? pair.mean) : (pair.preference ?? pair.mean);

function rowOf(pair: Pair, name: string, what: string): ForestRow[] {
  const estimate = estimateOf(pair);
  if (!estimate) return [];
  const scale = pair.scale === "preference" ? SHARES : differences([estimate]);
  const trial = "trial_id" in pair;
  const primary = trial && pair.primary;
  return [
    {
      id: name,
      label: trial ? (
        <>
          {name} {primary && <Tag>Primary</Tag>}
        </>
      ) : (
        "All trials"
      ),
      detail: `${what} · ${counted(pair.participants, "participant")}, ${counted(estimate.recordings, "recording")}${saidTest(estimate)}`,
      strong: !trial,
      estimate,
      spread: (
        <Stack gap={3}>
          {pair.scale === "preference" ? (
            <VotesBar pair={pair} />
          ) : (
            <Histogram counts={pair.histogram} scores={SCORES} />
          )}
          <Runs
            of={trial ? name : "all trials"}
            runs={trial ? pair.runs : []}
            whole={estimate}
            scale={scale}
          />
        </Stack>
      ),
    },
  ];
}
