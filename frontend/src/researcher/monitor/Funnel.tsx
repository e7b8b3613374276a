// How far people came, as bars that shrink from step to step.
// SPDX-License-Identifier: Apache-2.0
import type { Monitor } from "../../api/generated";
import { shareOf } from "../format";
import { isHeard, isTyped } from "../media";
import { useStudy } from "../useStudy";

export function Funnel({ monitor }: { readonly monitor: Monitor }) {
  const { study } = useStudy();
  const { funnel } = monitor;
  const steps: (readonly [string, number])[] = [
    ["Joined", funnel.joined],
    ...(isHeard(study) ? [["Sound check done", funnel.sound_checked] as const] : []),
    ...(isTyped(study) ? [["Connection good enough", funnel.connection_checked] as const] : []),
    ["Trials begun", funnel.started],
    ["Completed", funnel.completed],
  ];
  return (
    <section className="card" aria-labelledby="funnel">
      <h2 id="funnel">How far they came</h2>
      <ol className="funnel">
        {steps.map(([name, number]) => (
          <li key={name}>
            <span className="funnel-name">{name}</span>
            <span className="funnel-number">
              <strong>{number}</strong>{" "}
              <span className="soft small">{shareOf(number, funnel.joined)}</span>
            </span>
            <span className="funnel-bar" aria-hidden="true">
              <span style={{ width: `${funnel.joined ? (100 * number) / funnel.joined : 0}%` }} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
