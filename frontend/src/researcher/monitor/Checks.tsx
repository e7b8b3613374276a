// Trials whose answers can be wrong, what is tested, and what the declared rules
// make of them.
// SPDX-License-Identifier: Apache-2.0

import type { Check, Monitor } from "../../api/generated";
import { Card } from "../../design/Card";
import look from "../../design/look.module.css";
import { Pairs, Terms } from "../../design/Pairs";
import { Progress } from "../../design/Progress";
import { counted, shareOf, words } from "../../staff/format";
import { kindsOf } from "../kinds/registry";
import { ruleNames } from "../rules";
import { useStudy } from "../useStudy";

const failures = (difference: string): Readonly<Record<Check["kind"], string>> => ({
  trapping: "Trapping trials answered otherwise than the clip says",
  gold: "Gold trials answered wrongly",
  control: `Controls in which a difference was ${difference}`,
});

export function Checks({ monitor }: { readonly monitor: Monitor }) {
  const { study } = useStudy();
  const kinds = kindsOf(study);
  const said = failures(kinds[0].monitor.difference);
  const { checks, exclusions } = monitor;
  const tested = kinds.flatMap((kind) => kind.monitor.tested ?? []);
  const tests = tested.flatMap(({ tests }) => tests(monitor)).filter((test) => test.of > 0);
  return (
    <Card aria-labelledby="checks">
      <h2 id="checks">{["Care", ...tested.map(({ what }) => what)].join(" and ")}</h2>
      {checks.length === 0 && tests.length === 0 && exclusions.rules.length === 0 && (
        <p className={look.soft}>
          This study has no trapping, gold or control trials and no rules.
        </p>
      )}
      {checks.map(({ kind, votes, failed, participants_failing }) => (
        <Progress key={kind} label={said[kind]} share={votes > 0 ? failed / votes : 0}>
          {said[kind]}: <strong>{failed}</strong> of {votes}
          {failed > 0 && (
            <span className={look.soft}>
              {" "}
              ({shareOf(failed, votes)}; by {counted(participants_failing, "participant")})
            </span>
          )}
        </Progress>
      ))}
      {tests.map(({ label, failed, of }) => (
        <Progress key={label} label={label} share={failed / of}>
          {label}: <strong>{failed}</strong> of {of}
        </Progress>
      ))}
      {exclusions.rules.length > 0 && (
        <Pairs className={look.small}>
          <Terms
            of={exclusions.rules.map(({ rule, participants, excludes }) => [
              `${ruleNames[rule] ?? words(rule)}${excludes ? "" : " (marked)"}`,
              counted(participants, "participant"),
            ])}
          />
        </Pairs>
      )}
    </Card>
  );
}
