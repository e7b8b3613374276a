// What a page of an experiment says until it has something to show.
// SPDX-License-Identifier: Apache-2.0
import { Empty } from "../../design/Empty";
import { Notice } from "../../design/Notice";
import { Sheet } from "../../design/Sheet";
import { Lost } from "../../staff/Lost";
import type { Live } from "../../staff/live";
import { Trail } from "./Trail";

interface NotThereProps {
  readonly live: Live<unknown>;
  readonly loading: string;
}

export function NotThere({ live: { problem, lost, said }, loading }: NotThereProps) {
  return (
    <Sheet title={problem?.message ?? "One moment"} tab="Experiment" wide above={<Trail />}>
      <div role="status">
        {lost && <Lost said={said} />}
        {problem?.remedy && <Notice>{problem.remedy}</Notice>}
        {!problem && !lost && <Empty>{loading}</Empty>}
      </div>
    </Sheet>
  );
}
