// What a page says of its live data: that they are on their way, out of date or not to be had.
// SPDX-License-Identifier: Apache-2.0
import { Empty } from "../../design/Empty";
import { Failure } from "../../design/Failure";
import { Lost } from "../../staff/Lost";
import type { Live } from "../../staff/live";

interface LiveNoticesProps {
  readonly live: Live<unknown>;
  /** What the page says until the first answer has come. */
  readonly loading: string;
}

export function LiveNotices({ live, loading }: LiveNoticesProps) {
  const { data, problem, lost } = live;
  // Whoever is signed out is on the way to the sign-in page.
  const told = problem?.status === 401 ? null : problem;
  return (
    <>
      {lost && <Lost />}
      {told && <Failure title={told.message} remedy={told.remedy} />}
      {data === null && !problem && !lost && <Empty>{loading}</Empty>}
    </>
  );
}
