// Whether two conditions can be told apart: how often listeners knew which of the two X was.
// SPDX-License-Identifier: Apache-2.0

import type { DiscriminationFindings, Estimate, StudyResults } from "../../../api/generated";
import { Card } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Stack } from "../../../design/Stack";
import { Tag } from "../../../design/Tag";
import { counted } from "../../../staff/format";
import { Forest, type ForestRow } from "../Forest";
import { Runs } from "../Runs";
import { SHARES, saidTest } from "../scale";

export function ToldApart({ results }: { readonly results: StudyResults }) {
  const { discriminations = [] } = results;
  const whole = discriminations.filter(({ trial_id }) => trial_id === null);
  return whole.map((one) => {
    const { block, condition_a: a, condition_b: b } = one;
    const trials = discriminations.filter((other) => other.trial_id !== null && isOf(one, other));
    const id = `told-${block}-${a}-${b}`;
    return (
      <Card key={id} aria-labelledby={id}>
        <h2 id={id}>
          {b} told from {a}{" "}
          {whole.some((other) => other.block !== block) && (
            <span className={look.soft}>· {block}</span>
          )}
        </h2>
        <p className={look.note}>
          Share of right answers to which of the two X was. Whoever hears no difference is right in
          half of all trials.
        </p>
        <Forest
          title={`${b} told from ${a}`}
          scale={SHARES}
          rows={[one, ...trials].flatMap(rowOf)}
          ends={["wrong", "right"]}
        />
      </Card>
    );
  });
}

/** A trial may name the two the other way round. */
const isOf = (one: DiscriminationFindings, other: DiscriminationFindings): boolean =>
  one.block === other.block &&
  [one.condition_a, one.condition_b].sort().join() ===
    [other.condition_a, other.condition_b].sort().join();

function rowOf(one: DiscriminationFindings): ForestRow[] {
  const { share, trial_id, right, wrong } = one;
  if (!share) return [];
  const what = trial_id === null ? `over ${counted(one.trials, "trial")}` : one.clip;
  return [
    {
      id: trial_id ?? "all",
      label:
        trial_id === null ? (
          "All trials"
        ) : (
          <>
            {trial_id} {one.primary && <Tag>Primary</Tag>}
          </>
        ),
      detail: `${what} · ${counted(one.participants, "participant")}, ${counted(share.recordings, "recording")}${saidTest(share)}`,
      strong: trial_id === null,
      estimate: share,
      spread: (
        <Stack gap={3}>
          <p className={look.note}>
            {right} right, {wrong} wrong{saidDPrime(share)}
          </p>
          <Runs of={trial_id ?? "all trials"} runs={one.runs} whole={share} scale={SHARES} />
        </Stack>
      ),
    },
  ];
}

/** How far apart the two are to the ear, where votes say so. */
function saidDPrime({ parameter, too_few }: Estimate): string {
  if (!parameter || too_few) return "";
  const { value, low, high } = parameter;
  const said = (end: number | null) => (end === null ? "∞" : end.toFixed(2));
  return ` · d′ ${said(value)} (${said(low)} to ${said(high)})`;
}
