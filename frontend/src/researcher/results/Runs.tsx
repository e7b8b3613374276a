// What a number generalises to, and what single recordings got: losses differ from run to
// run, and a finding that rests on one of them is one about it.
// SPDX-License-Identifier: Apache-2.0

import type { Estimate, RunFindings } from "../../api/generated";
import look from "../../design/look.module.css";
import { type Column, Records } from "../../design/Table";
import { type Scale, saidExploratoryP, saidInterval } from "./scale";

interface RunsProps {
  /** What it is told of. */
  readonly of: string;
  readonly runs: readonly RunFindings[];
  /** All runs together. */
  readonly whole: Estimate;
  readonly scale: Scale;
}

export function Runs({ of, runs, whole, scale }: RunsProps) {
  const columns: readonly Column<RunFindings>[] = [
    { title: "Run", value: ({ run }) => run + 1 },
    { title: "Votes", value: ({ votes }) => votes },
    { title: "Value", value: ({ estimate }) => (estimate ? scale.say(estimate.value) : "–") },
    {
      title: "Interval",
      value: ({ estimate }) => (estimate ? saidInterval(scale, estimate) : "–"),
    },
    {
      title: "Remark",
      value: ({ identical }) => identical && "the same bytes: counted as a control",
    },
  ];
  const said = reach(whole, scale);
  return (
    <div className={look.note}>
      {said && <p>{said}</p>}
      {runs.length > 0 && (
        <details>
          <summary>Run by run</summary>
          <Records
            label={`${of}, run by run`}
            rows={runs}
            columns={columns}
            keyOf={({ run }) => run}
          />
        </details>
      )}
    </div>
  );
}

/** In words, whom and what the interval is about. */
export function reach({ scope, these, too_few, low, high }: Estimate, scale: Scale): string | null {
  if (too_few || (low === null && high === null)) return null;
  if (scope === "these_recordings") {
    return "Generalises to other participants, with these recordings.";
  }
  const alone = these
    ? ` Of these recordings alone: ${[saidInterval(scale, these), saidExploratoryP(these.p_value)]
        .filter(Boolean)
        .join(", ")}.`
    : "";
  return `Generalises to other participants and other losses of the same path.${alone}`;
}
