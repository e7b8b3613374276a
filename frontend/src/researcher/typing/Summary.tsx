// How many sessions count, how many do not and why, and whose network was too poor.
// SPDX-License-Identifier: Apache-2.0

import type { SessionCounts } from "../../api/generated";
import { Card } from "../../design/Card";
import look from "../../design/look.module.css";
import { Pairs } from "../../design/Pairs";
import { Progress } from "../../design/Progress";
import { Tag } from "../../design/Tag";
import { counted, delay, shareOf } from "../../staff/format";
import desk from "../desk.module.css";
import { voidReasons } from "./wording";

export function Summary({ counts }: { readonly counts: SessionCounts }) {
  const voided = counts.void.reduce((sum, { sessions }) => sum + sessions, 0);
  const { checks } = counts;
  const checked = checks.passed + checks.refused;
  return (
    <div className={desk.columns}>
      <Card aria-labelledby="typing-sessions">
        <h2 id="typing-sessions">Sessions</h2>
        <dl className={desk.counts}>
          <div>
            <dt>count</dt>
            <dd>{counts.done}</dd>
          </div>
          <div>
            <dt>under way</dt>
            <dd>{counts.under_way}</dd>
          </div>
          <div>
            <dt>void</dt>
            <dd>{voided}</dd>
          </div>
        </dl>
        {voided > 0 && (
          <Pairs className={look.small}>
            {counts.void.map(({ reason, sessions }) => (
              <div key={reason}>
                <dt>{voidReasons[reason] ?? reason}</dt>
                <dd>
                  {counted(sessions, "session")} <span className={look.soft}>offered again</span>
                </dd>
              </div>
            ))}
          </Pairs>
        )}
        {counts.untrustworthy > 0 && (
          <p className={look.small}>
            <Tag tone="warn">{counts.untrustworthy}</Tag> of those that count ran on a host too busy
            to keep its time; the export marks them.
          </p>
        )}
      </Card>
      <Card aria-labelledby="typing-checks">
        <h2 id="typing-checks">Connection checks</h2>
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
      </Card>
    </div>
  );
}
