// A page whose demo has not come yet: being loaded, without a server, or refused.
// SPDX-License-Identifier: Apache-2.0
import type { ReactNode } from "react";
import { Empty } from "../design/Empty";
import { Notice } from "../design/Notice";
import { Sheet } from "../design/Sheet";
import { Lost } from "../staff/Lost";
import type { useLive } from "../staff/live";

interface WaitingProps {
  readonly asked: Pick<ReturnType<typeof useLive>, "problem" | "lost" | "said">;
  readonly tab: string;
  /** What is said while nothing went wrong. */
  readonly loading: string;
  readonly children?: ReactNode;
}

export function Waiting({ asked, tab, loading, children }: WaitingProps) {
  const { problem, lost, said } = asked;
  return (
    <Sheet title={problem ? problem.message : "One moment"} tab={tab}>
      {lost && <Lost said={said} />}
      {problem?.remedy && <Notice>{problem.remedy}</Notice>}
      {!problem && !lost && <Empty>{loading}</Empty>}
      {children}
    </Sheet>
  );
}
