// The stop rule and the quotas as bars that fill.
// SPDX-License-Identifier: Apache-2.0

import type { Target } from "../api/generated";
import look from "../design/look.module.css";
import { Progress } from "../design/Progress";
import { day, languageName } from "../staff/format";

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
          <Progress
            key={target.language ?? ""}
            label={`${target.completed} of ${target.of} sessions completed ${whom}`}
            share={target.completed / target.of}
          >
            <strong>
              {target.completed} of {target.of}
            </strong>{" "}
            sessions completed {whom}
          </Progress>
        );
      })}
      {stopsOn && <p className={look.small}>Stops on {day(stopsOn)} (UTC), if not before.</p>}
    </>
  );
}
