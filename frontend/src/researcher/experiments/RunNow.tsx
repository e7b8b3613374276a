// A run under way, one that was given up, or one in which sessions failed.
// SPDX-License-Identifier: Apache-2.0
import type { ExperimentSummary } from "../../api/generated";
import { Notice } from "../../design/Notice";
import { Progress } from "../../design/Progress";
import { counted, moment } from "../../staff/format";
import { progressOf } from "./wording";

export function RunNow({ of: { run, title } }: { readonly of: ExperimentSummary }) {
  if (run === null) return null;
  if (run.stage === "ended") {
    if (run.failed === 0) return null;
    return (
      <Notice tone="warn" title={`${counted(run.failed, "session")} of the last run failed`}>
        {run.problem && <p>{run.problem}</p>}
        <p>What the others came to is kept. The next run tries those that failed again.</p>
      </Notice>
    );
  }
  if (run.stage === "running") {
    const share = run.wanted > 0 ? run.through / run.wanted : 0;
    return (
      <Progress label={`Sessions of ${title} done`} share={share}>
        {progressOf(run)}
      </Progress>
    );
  }
  return (
    <Notice tone="warn" title={`The last run stopped before its end, ${moment(run.heard_at)}`}>
      {run.problem && <p>{run.problem}</p>}
      <p>
        {run.wanted > 0 && `${run.through} of its ${run.wanted} sessions were done. `}
        What was done is kept: the next run goes on from there.
      </p>
    </Notice>
  );
}
