// Trials whose answers can be wrong, the headphone test, and what the declared
// rules make of them.
// SPDX-License-Identifier: Apache-2.0

import type { Check, Monitor } from "../../api/generated";
import { Card } from "../../design/Card";
import look from "../../design/look.module.css";
import { Pairs, Terms } from "../../design/Pairs";
import { Progress } from "../../design/Progress";
import { counted, shareOf, words } from "../../staff/format";
import { isHeard } from "../media";
import { ruleNames } from "../rules";
import { useStudy } from "../useStudy";

const failures = (heard: boolean): Readonly<Record<Check["kind"], string>> => ({
  trapping: "Trapping trials answered otherwise than the clip says",
  gold: "Gold trials answered wrongly",
  control: `Controls in which a difference was ${heard ? "heard" : "felt"}`,
});

export function Checks({ monitor }: { readonly monitor: Monitor }) {
  const { study } = useStudy();
  const said = failures(isHeard(study));
  const { checks, headphones, exclusions } = monitor;
  const tested = headphones.passed + headphones.failed;
  return (
    <Card aria-labelledby="checks">
      <h2 id="checks">{isHeard(study) ? "Care and hearing" : "Care"}</h2>
      {checks.length === 0 && tested === 0 && exclusions.rules.length === 0 && (
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
      {tested > 0 && (
        <Progress label="Headphone test not passed" share={headphones.failed / tested}>
          Headphone test not passed: <strong>{headphones.failed}</strong> of {tested}
        </Progress>
      )}
      {exclusions.rules.length > 0 && (
        <Pairs className={look.small}>
          <Terms
            of={exclusions.rules.map(({ rule, participants }) => [
              ruleNames[rule] ?? words(rule),
              counted(participants, "participant"),
            ])}
          />
        </Pairs>
      )}
    </Card>
  );
}
