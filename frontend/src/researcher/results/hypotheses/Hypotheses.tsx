// What was declared to decide: each comparison with what would not matter as a band behind
// it, and whether a difference is shown, or none that matters, or neither.
// SPDX-License-Identifier: Apache-2.0

import type { Estimate, HypothesisFindings, StudyResults } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Tag } from "../../../design/Tag";
import { counted, percent } from "../../../staff/format";
import { Forest, type ForestRow } from "../Forest";
import { differences, type Scale, SHARES, saidP } from "../scale";

type Unit = HypothesisFindings["unit"];

const UNITS: Readonly<Record<Unit, string>> = {
  share: "Share for the first-named among votes with a preference",
  share_right: "Share of right answers to which of the two X was",
  cmos: "Comparison mean opinion score (CMOS), from −3 to +3",
  mos: "Difference of mean scores (MOS, DMOS, or MUSHRA’s)",
  difference_of_shares: "Share with a difference, minus that of controls (1: 100 points)",
};

const VERDICTS: Readonly<Record<HypothesisFindings["verdict"], string>> = {
  difference: "Shown",
  small_difference: "Shown, too small to matter",
  no_difference: "No difference that matters",
  neither: "Not shown",
  too_few: "Too few votes",
};

const isShare = (unit: Unit): boolean => unit === "share" || unit === "share_right";

type Estimated = HypothesisFindings & { readonly estimate: Estimate };

const isEstimated = (one: HypothesisFindings): one is Estimated => one.estimate !== null;

export function Hypotheses({ results }: { readonly results: StudyResults }) {
  const { hypotheses, together } = results;
  if (hypotheses.length === 0) return null;
  const banded = hypotheses.some(({ smallest_effect }) => smallest_effect !== null);
  const units = [...new Set(hypotheses.filter(isEstimated).map(({ unit }) => unit))];
  return (
    <TitledCard id="hypotheses" title="What was to decide">
      <p className={look.note}>
        Declared before the first vote; every other p-value is exploratory.
        {hypotheses.length > 1 && !together && " These are corrected together, after Holm."}
        {banded &&
          ` The band is what would be too small to matter: there is no difference that matters where the interval of ${percent(innerOf(hypotheses))} lies within it.`}
      </p>
      {together && <p>{together.sentence}</p>}
      {units.map((unit) => {
        const mine = hypotheses.filter(isEstimated).filter((one) => one.unit === unit);
        return (
          <section key={unit} aria-label={UNITS[unit]}>
            <h3>{UNITS[unit]}</h3>
            <Forest title={UNITS[unit]} scale={scaleOf(unit, mine)} rows={mine.map(rowOf)} />
          </section>
        );
      })}
      {hypotheses.some((one) => !isEstimated(one)) && (
        <ul>
          {hypotheses
            .filter((one) => !isEstimated(one))
            .map(({ id, sentence }) => (
              <li key={id}>{sentence}</li>
            ))}
        </ul>
      )}
    </TitledCard>
  );
}

/** The confidence that the interval has which must lie within; a look asks for more. */
const innerOf = (hypotheses: readonly HypothesisFindings[]): number =>
  Math.round((hypotheses[0]?.equivalence_confidence ?? 0) * 1e4) / 1e4;

const scaleOf = (unit: Unit, found: readonly Estimated[]): Scale =>
  isShare(unit)
    ? SHARES
    : differences(
        found.map(({ estimate }) => estimate),
        found.map(({ smallest_effect }) => smallest_effect ?? 0),
      );

function rowOf(one: Estimated): ForestRow {
  return {
    id: one.id,
    label: (
      <>
        {one.id} <Tag>{VERDICTS[one.verdict]}</Tag>
      </>
    ),
    detail: `${comparedIn(one)} · ${expectedOf(one)}`,
    strong: true,
    // For who cannot see the plot, the verdict is part of it.
    estimate: { ...one.estimate, sentence: one.sentence },
    smallest: one.smallest_effect,
    spread: <p className={look.note}>{[...testsOf(one), basisOf(one)].join(" · ")}</p>,
  };
}

const comparedIn = ({ condition_a: a, condition_b: b }: HypothesisFindings): string =>
  a === null || b === null ? "pairs against controls" : `${b} against ${a}`;

/** The p-values that decide, and what they are about. */
function testsOf(one: HypothesisFindings): string[] {
  const { direction, smallest_effect } = one;
  const difference = saidP(one.p_adjusted ?? one.p_value);
  const none = saidP(one.equivalence_p_adjusted ?? one.equivalence_p);
  const side = direction === "two_sided" ? "" : "one-sided ";
  return [
    ...(smallest_effect === null ? [] : [`matters from ${boundOf(one.unit, smallest_effect)}`]),
    ...(difference === "" ? [] : [`difference: ${side}${difference}`]),
    ...(none === "" ? [] : [`none that matters: ${none}`]),
  ];
}

function basisOf({ trials, estimate }: Estimated): string {
  const named = trials.length > 3 ? counted(trials.length, "trial") : trials.join(", ");
  return `${named}; ${counted(estimate.participants, "participant")}, ${counted(estimate.recordings, "recording")}`;
}

function expectedOf({ condition_b, direction }: HypothesisFindings): string {
  if (direction === "two_sided") return "either direction";
  if (direction === "right") return "expected to be told apart";
  return condition_b === null ? "expected more often in pairs" : `${direction} expected better`;
}

const boundOf = (unit: Unit, smallest: number): string =>
  isShare(unit) ? `${SHARES.say(0.5 - smallest)} or ${SHARES.say(0.5 + smallest)}` : `±${smallest}`;
