// The flow of participants as reports of trials show it (CONSORT 2010, item 13): everybody once,
// from consent to analysis, and beside each step who did not get there, and why.
// SPDX-License-Identifier: Apache-2.0

import { answered, api } from "../../../api/client";
import type { Flow as Counts, Monitor } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { words } from "../../../staff/format";
import { useStudyLive } from "../../live/useDeskLive";
import { ruleNames } from "../../rules";
import { ofKind } from "../../useStudy";
import styles from "./Flow.module.css";

const POLL_MS = 30_000;

const ask = (slug: string, kind: Monitor["kind"]) =>
  answered(api.GET("/api/researcher/studies/{slug}/monitor", ofKind(slug, kind)));

interface Step {
  readonly name: string;
  readonly number: number;
  /** Who did not get to the next step, and why. */
  readonly out: readonly (readonly [string, number])[];
  /** Who did, and what is noted of them. */
  readonly marked?: Step["out"];
}

export function Flow({ kind }: { readonly kind: Monitor["kind"] }) {
  const live = useStudyLive(ask, () => POLL_MS, kind);
  // What it is about stands on the page already: while it loads, nothing is missing.
  return live.data && <FlowOf flow={live.data.flow} />;
}

export function FlowOf({ flow }: { readonly flow: Counts }) {
  return (
    <TitledCard id="flow" title="From consent to analysis">
      <ol className={styles.flow}>
        {stepsOf(flow).map(({ name, number, out, marked = [] }) => (
          <li key={name}>
            <p className={styles.step}>
              {name} <strong>{number}</strong>
            </p>
            <Reasons of={out} />
            {marked.length > 0 && (
              <>
                <p className={look.note}>Of these, marked by rules that leave nobody out:</p>
                <Reasons of={marked} />
              </>
            )}
          </li>
        ))}
      </ol>
      {flow.excluded_by_rule.length > 0 && (
        <p className={look.note}>Somebody can be excluded for several reasons.</p>
      )}
    </TitledCard>
  );
}

function Reasons({ of }: { readonly of: Step["out"] }) {
  return (
    of.length > 0 && (
      <ul className={styles.out}>
        {of.map(([why, number]) => (
          <li key={why}>
            {why} <strong>{number}</strong>
          </li>
        ))}
      </ul>
    )
  );
}

function stepsOf(flow: Counts): readonly Step[] {
  const lost: Step["out"] = [
    ["Headphone test not passed", flow.headphones_failed],
    ["Test of hearing not passed", flow.hearing_failed],
    ["Network too poor", flow.connection_failed],
    ["Not eligible by their answers", flow.ineligible],
    ["Withdrew", flow.withdrawn],
    ["Left before the end", flow.left],
    ["Still under way", flow.under_way],
  ];
  const excluded: Step["out"] = [
    ["Excluded", flow.excluded],
    ...byRule(flow.excluded_by_rule),
    ["By the researcher", flow.excluded_by_researcher],
  ];
  return [
    ...(flow.invited === null ? [] : [{ name: "Invited", number: flow.invited, out: [] }]),
    { name: "Consented", number: flow.consented, out: some(lost) },
    { name: "Completed", number: flow.completed, out: some(excluded) },
    { name: "Analysed", number: flow.analysed, out: [], marked: byRule(flow.marked_by_rule) },
  ];
}

const byRule = (counts: Counts["excluded_by_rule"]): Step["out"] =>
  counts.map(({ rule, participants }) => [ruleNames[rule] ?? words(rule), participants]);

const some = (out: Step["out"]): Step["out"] => out.filter(([, number]) => number > 0);
