// How a study fills, day by day.
// SPDX-License-Identifier: Apache-2.0

import type { Monitor } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import { Empty } from "../../design/Empty";
import look from "../../design/look.module.css";
import { day } from "../../staff/format";
import styles from "./Days.module.css";

const MOST_DAYS = 60;

export function Days({ monitor }: { readonly monitor: Monitor }) {
  const days = monitor.days.slice(-MOST_DAYS);
  const most = Math.max(1, ...days.map(({ joined }) => joined));
  return (
    <TitledCard id="days" title="By day">
      {days.length === 0 && <Empty>Nothing yet.</Empty>}
      <ol className={styles.days}>
        {days.map(({ day: on, joined, completed }) => (
          <li key={on}>
            <span className={look.small}>{day(on)}</span>
            <span className={styles.bar} aria-hidden="true">
              <span className={styles.joined} style={{ width: `${(100 * joined) / most}%` }} />
              <span
                className={styles.completedBar}
                style={{ width: `${(100 * completed) / most}%` }}
              />
            </span>
            <span className={look.note}>
              {joined} joined, {completed} completed
            </span>
          </li>
        ))}
      </ol>
    </TitledCard>
  );
}
