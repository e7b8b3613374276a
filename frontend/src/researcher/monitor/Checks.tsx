// Trials whose answers can be wrong, the headphone test, and what the declared
// rules make of them.
// SPDX-License-Identifier: Apache-2.0
import type { Check, Monitor } from "../../api/generated";
import { Bar } from "../../design/elements";
import { counted, shareOf, words } from "../format";
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
    <section className="card" aria-labelledby="checks">
      <h2 id="checks">{isHeard(study) ? "Care and hearing" : "Care"}</h2>
      {checks.length === 0 && tested === 0 && exclusions.rules.length === 0 && (
        <p className="soft">This study has no trapping, gold or control trials and no rules.</p>
      )}
      {checks.map(({ kind, votes, failed, participants_failing }) => (
        <div key={kind} className="field">
          <span className="small">
            {said[kind]}: <strong>{failed}</strong> of {votes}
            {failed > 0 && (
              <span className="soft">
                {" "}
                ({shareOf(failed, votes)}; by {counted(participants_failing, "participant")})
              </span>
            )}
          </span>
          <Bar label={said[kind]} share={votes > 0 ? failed / votes : 0} />
        </div>
      ))}
      {tested > 0 && (
        <div className="field">
          <span className="small">
            Headphone test not passed: <strong>{headphones.failed}</strong> of {tested}
          </span>
          <Bar label="Headphone test not passed" share={headphones.failed / tested} />
        </div>
      )}
      {exclusions.rules.length > 0 && (
        <dl className="pairs small">
          {exclusions.rules.map(({ rule, participants }) => (
            <div key={rule}>
              <dt>{ruleNames[rule] ?? words(rule)}</dt>
              <dd>{counted(participants, "participant")}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
