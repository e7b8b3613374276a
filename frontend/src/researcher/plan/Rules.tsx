// What was declared before the first vote: the hypothesis, whom the analysis
// leaves out, and when the study stops.
// SPDX-License-Identifier: Apache-2.0

import type { StudyDefinition } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import { Pairs, Terms } from "../../design/Pairs";
import { counted, day, languageName, percent } from "../../staff/format";
import { kindsOf } from "../kinds/registry";
import { said } from "../said";

type Rule = NonNullable<StudyDefinition["exclusion"]>[number];
type Analysis = NonNullable<StudyDefinition["analysis"]>;
type Hypothesis = NonNullable<Analysis["hypotheses"]>[number];

interface RulesProps {
  readonly definition: StudyDefinition;
  readonly language: string;
}

export function Rules({ definition, language }: RulesProps) {
  const { analysis, exclusion = [], published, votes_visible } = definition;
  return (
    <TitledCard id="declared" title="Declared in advance">
      <Pairs>
        <div>
          <dt>Hypothesis</dt>
          <dd>{analysis ? said(analysis.hypothesis, language) : "none declared"}</dd>
        </div>
        {analysis?.hypotheses && <Deciding analysis={analysis} hypotheses={analysis.hypotheses} />}
        {analysis && !analysis.hypotheses && (
          <div>
            <dt>Primary trials</dt>
            <dd>
              {analysis.primary?.join(", ")}; intervals of {percent(analysis.confidence ?? 0.95)},{" "}
              {analysis.correction === "holm" ? "corrected after Holm" : "not corrected"}
            </dd>
          </div>
        )}
        {published && (
          <div>
            <dt>Published, to be shown beside it</dt>
            <dd>
              <ul>
                {published.map(({ trial, preferred, count, of, source }) => (
                  <li key={`${trial} ${preferred} ${source}`}>
                    {trial}: {count} of {of} for {preferred} ({source})
                  </li>
                ))}
              </ul>
            </dd>
          </div>
        )}
        <div>
          <dt>Stops</dt>
          <dd>{stopOf(definition)}</dd>
        </div>
        <div>
          <dt>Votes</dt>
          <dd>
            {votes_visible === "always"
              ? "visible to the researcher all the time"
              : "hidden from the researcher until the study ends"}
          </dd>
        </div>
        <Terms of={kindsOf({ definition }).flatMap(({ plan }) => plan.rules?.(definition) ?? [])} />
        <div>
          <dt>Left out of the analysis</dt>
          <dd>
            <Who rules={exclusion.filter(({ effect }) => effect !== "flag")} />
          </dd>
        </div>
        {exclusion.some(({ effect }) => effect === "flag") && (
          <div>
            <dt>Marked, and analysed</dt>
            <dd>
              <Who rules={exclusion.filter(({ effect }) => effect === "flag")} />
            </dd>
          </div>
        )}
      </Pairs>
    </TitledCard>
  );
}

function Who({ rules }: { readonly rules: readonly Rule[] }) {
  if (rules.length === 0) return "nobody by rule";
  return (
    <ul>
      {rules.map((rule) => {
        const text = sentenceOf(rule);
        return <li key={text}>{text}</li>;
      })}
    </ul>
  );
}

interface DecidingProps {
  readonly analysis: Analysis;
  readonly hypotheses: readonly Hypothesis[];
}

function Deciding({ analysis, hypotheses }: DecidingProps) {
  const all = analysis.rule === "all";
  return (
    <div>
      <dt>What decides</dt>
      <dd>
        <ul>
          {hypotheses.map((one) => (
            <li key={one.id}>
              {one.id}: {comparisonOf(one)}; {expectationOf(one)}
            </li>
          ))}
        </ul>
        {hypotheses.length > 1 &&
          (all
            ? "All of them have to be shown, each at the full level; intervals of "
            : "Each is a finding of its own, corrected after Holm; intervals of ")}
        {hypotheses.length === 1 && "Intervals of "}
        {percent(analysis.confidence ?? 0.95)}
        {analysis.interim &&
          `; looked at after ${analysis.interim.looks.map((share) => percent(share)).join(", ")} of the completed sessions, by boundaries that spend little early (O’Brien and Fleming’s, as Lan and DeMets spend them)`}
      </dd>
    </div>
  );
}

function comparisonOf(one: Hypothesis): string {
  switch (one.compares) {
    case "pair":
      return `trial ${one.trial}`;
    case "control":
      return `differences told of in ${one.trials.join(", ")} against controls ${one.controls.join(", ")}`;
    default: {
      const [a, b] = one.conditions;
      const what = one.compares === "opinion" ? ", mean scores" : "";
      return `${b} against ${a}${what} over ${one.trials.join(", ")}`;
    }
  }
}

function expectationOf({ compares, direction = "two_sided", smallest_effect }: Hypothesis): string {
  const side =
    compares === "control" ? "more often in pairs expected" : `${direction} expected to be better`;
  const expected = direction === "two_sided" ? "in either direction" : side;
  return smallest_effect == null
    ? expected
    : `${expected}; less than ${smallest_effect} would not matter`;
}

function stopOf({ stop, quotas = [] }: StudyDefinition): string {
  const parts = [];
  if (stop?.completed) parts.push(`after ${counted(stop.completed, "completed session")}`);
  if (stop?.on) parts.push(`on ${day(stop.on)} (UTC)`);
  const rule = parts.length > 0 ? parts.join(" or ") : "when the researcher closes it";
  const most = quotas.map(
    ({ language, completed }) => `at most ${completed} in ${languageName(language)}`,
  );
  return [rule, ...most].join("; ");
}

const moreThan = (allowed: number, thing: string): string =>
  allowed === 0 ? `any ${thing}` : `more than ${counted(allowed, thing)}`;

const ofTrials = ({ more_than_share }: { readonly more_than_share?: number }): string =>
  more_than_share ? `more than ${percent(more_than_share)} of the trials` : "any trial";

function sentenceOf(rule: Rule): string {
  switch (rule.rule) {
    case "trapping_wrong":
      return `who answers ${moreThan(rule.more_than ?? 0, "trapping trial")} wrongly`;
    case "gold_wrong":
      return `who answers ${moreThan(rule.more_than ?? 0, "gold trial")} wrongly`;
    case "control_difference":
      return `who hears a difference in more than ${percent(rule.more_than_share)} of the controls`;
    case "straight_lining":
      return `who gives one and the same answer throughout, in at least ${rule.of_at_least ?? 6} trials`;
    case "headphones_failed":
      return "who does not pass the headphone test";
    case "hearing_failed":
      return `who does not pass the test of ${rule.test}`;
    case "decision_under":
      return `who answers in under ${rule.ms} ms in more than ${percent(rule.more_than_share ?? 0)} of the trials`;
    case "heard_under":
      return `who hears less than ${percent(rule.share)} of a recording in ${ofTrials(rule)}`;
    case "page_hidden":
      return `who has the page out of sight for more than ${rule.longer_than_ms ?? 0} ms in ${ofTrials(rule)}`;
    case "seeks_over":
      return `who seeks more than ${counted(rule.times, "time")} in ${ofTrials(rule)}`;
    case "scripted_typing":
      return "whose keys come as a script sends them, and not as hands do";
    case "reference_under":
      return `who rates the hidden reference below ${rule.score ?? 90} on more than ${percent(rule.more_than_share ?? 0.15)} of the pages`;
    default:
      return `who answers “${rule.question}” with ${rule.any_of.join(" or ")}`;
  }
}
