// How many sessions count, how many do not and why, and whose network was too poor.
// SPDX-License-Identifier: Apache-2.0
import type { SessionCounts } from "../../api/generated";
import { Bar } from "../../design/elements";
import { counted, shareOf } from "../format";
import { milliseconds, voidReasons } from "./wording";

export function Summary({ counts }: { readonly counts: SessionCounts }) {
  const voided = counts.void.reduce((sum, { sessions }) => sum + sessions, 0);
  const { checks } = counts;
  const checked = checks.passed + checks.refused;
  return (
    <div className="columns">
      <section className="card" aria-labelledby="typing-sessions">
        <h2 id="typing-sessions">Sessions</h2>
        <dl className="counts">
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
          <dl className="pairs small">
            {counts.void.map(({ reason, sessions }) => (
              <div key={reason}>
                <dt>{voidReasons[reason] ?? reason}</dt>
                <dd>
                  {counted(sessions, "session")} <span className="soft">offered again</span>
                </dd>
              </div>
            ))}
          </dl>
        )}
        {counts.untrustworthy > 0 && (
          <p className="small">
            <span className="tag warn small">{counts.untrustworthy}</span> of those that count ran
            on a host too busy to keep its time; the export marks them.
          </p>
        )}
      </section>
      <section className="card" aria-labelledby="typing-checks">
        <h2 id="typing-checks">Connection checks</h2>
        {checked === 0 ? (
          <p className="soft">Nobody’s connection was checked yet.</p>
        ) : (
          <>
            <div className="field">
              <span className="small">
                Refused as too poor to feel a difference: <strong>{checks.refused}</strong> of{" "}
                {checked} <span className="soft">({shareOf(checks.refused, checked)})</span>
              </span>
              <Bar label="Connections refused" share={checks.refused / checked} />
            </div>
            <p className="small soft">
              Of those let in, the median has a round trip of {milliseconds(checks.rtt_p50_ms)} and
              a jitter of {milliseconds(checks.jitter_p50_ms)}, in addition to the emulated path.
            </p>
          </>
        )}
      </section>
    </div>
  );
}
