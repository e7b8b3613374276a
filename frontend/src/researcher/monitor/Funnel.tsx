// How far people came, as bars that shrink from step to step.
// SPDX-License-Identifier: Apache-2.0
import type { Monitor } from "../../api/generated";
import { shareOf } from "../format";

export function Funnel({ monitor }: { readonly monitor: Monitor }) {
  const { funnel } = monitor;
  const steps = [
    ["Joined", funnel.joined],
    ["Sound check done", funnel.sound_checked],
    ["Trials begun", funnel.started],
    ["Completed", funnel.completed],
  ] as const;
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
