// How many sessions count, how many do not and why, and whose network was too poor.
// SPDX-License-Identifier: Apache-2.0

import type { SessionCounts } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { Pairs, Terms } from "../../../design/Pairs";
import { Progress } from "../../../design/Progress";
import { Tag } from "../../../design/Tag";
import { counted, delay, shareOf } from "../../../staff/format";
import { Counts } from "../../Counts";
import desk from "../../desk.module.css";
import { voidReasons } from "./wording";

export function Summary({ counts }: { readonly counts: SessionCounts }) {
  const voided = counts.void.reduce((sum, { sessions }) => sum + sessions, 0);
  const { checks } = counts;
  const checked = checks.passed + checks.refused;
  return (
    <div className={desk.columns}>
      <TitledCard id="typing-sessions" title="Sessions">
        <Counts
          of={[
            ["count", counts.done],
            ["under way", counts.under_way],
            ["void", voided],
          ]}
        />
        {voided > 0 && (
          <Pairs className={look.small}>
            <Terms
              of={counts.void.map(({ reason, sessions }) => [
                voidReasons[reason] ?? reason,
                <>
                  {counted(sessions, "session")} <span className={look.soft}>offered again</span>
                </>,
              ])}
            />
          </Pairs>
        )}
        {counts.untrustworthy > 0 && (
          <p className={look.small}>
            <Tag tone="warn">{counts.untrustworthy}</Tag> of those that count ran on a host too busy
            to keep its time; the export marks them.
          </p>
        )}
      </TitledCard>
      <TitledCard id="typing-checks" title="Connection checks">
        {checked === 0 ? (
          <p className={look.soft}>Nobody’s connection was checked yet.</p>
        ) : (
          <>
            <Progress label="Connections refused" share={checks.refused / checked}>
              Refused as too poor to feel a difference: <strong>{checks.refused}</strong> of{" "}
              {checked} <span className={look.soft}>({shareOf(checks.refused, checked)})</span>
            </Progress>
            <p className={look.note}>
              Of those let in, the median has a round trip of {delay(checks.rtt_p50_ms)} and a
              jitter of {delay(checks.jitter_p50_ms)}, in addition to the emulated path.
            </p>
          </>
        )}
      </TitledCard>
    </div>
  );
}
