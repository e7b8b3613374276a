// The stop rule and the quotas as bars that fill.
// SPDX-License-Identifier: Apache-2.0
import type { Target } from "../api/generated";
import { Bar } from "../design/elements";
import { day, languageName } from "./format";

interface TargetBarsProps {
  readonly targets: readonly Target[];
  readonly stopsOn: string | null;
}

export function TargetBars({ targets, stopsOn }: TargetBarsProps) {
  return (
    <>
      {targets.map((target) => {
        const whom = target.language ? `in ${languageName(target.language)}` : "in all";
        return (
          <div key={target.language ?? ""} className="field">
            <span className="small">
              <strong>
                {target.completed} of {target.of}
              </strong>{" "}
              sessions completed {whom}
            </span>
            <Bar
              label={`${target.completed} of ${target.of} sessions completed ${whom}`}
              share={target.completed / target.of}
            />
          </div>
        );
      })}
      {stopsOn && <p className="small">Stops on {day(stopsOn)} (UTC), if not before.</p>}
    </>
  );
}
