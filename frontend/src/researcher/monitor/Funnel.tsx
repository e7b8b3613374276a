// How far people came, as bars that shrink from step to step.
// SPDX-License-Identifier: Apache-2.0

import type { Monitor } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { shareOf } from "../../staff/format";
import { kindsOf } from "../kinds/registry";
import { useStudy } from "../useStudy";
import styles from "./Funnel.module.css";

export function Funnel({ monitor }: { readonly monitor: Monitor }) {
  const { study } = useStudy();
  const { funnel } = monitor;
  const steps: (readonly [string, number])[] = [
    ["Joined", funnel.joined],
    ...kindsOf(study).map(({ monitor: { stage } }) => [stage.title, stage.count(funnel)] as const),
    ["Trials begun", funnel.started],
    ["Completed", funnel.completed],
  ];
  return (
    <TitledCard id="funnel" title="How far they came">
      <ol className={styles.funnel}>
        {steps.map(([name, number]) => (
          <li key={name}>
            <span>{name}</span>
            <span className={styles.number}>
              <strong>{number}</strong>{" "}
              <span className={look.note}>{shareOf(number, funnel.joined)}</span>
            </span>
            <span className={styles.bar} aria-hidden="true">
              <span style={{ width: `${funnel.joined ? (100 * number) / funnel.joined : 0}%` }} />
            </span>
          </li>
        ))}
      </ol>
    </TitledCard>
  );
}
