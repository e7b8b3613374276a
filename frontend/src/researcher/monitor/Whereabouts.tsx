// Where everybody is now, each counted once, and who will not be analysed.
// SPDX-License-Identifier: Apache-2.0

import { clsx } from "clsx";
import type { Monitor } from "../../api/generated";
import { TitledCard } from "../../design/Card";
import look from "../../design/look.module.css";
import { kindsOf } from "../kinds/registry";
import swatches from "../swatches.module.css";
import { TargetBars } from "../TargetBars";
import { useStudy } from "../useStudy";
import styles from "./Whereabouts.module.css";

export function Whereabouts({ monitor }: { readonly monitor: Monitor }) {
  const { whereabouts: here, exclusions } = monitor;
  const { study } = useStudy();
  const places: (readonly [string, string, number])[] = [
    ["live", "live now", here.live],
    ["paused", "paused", here.paused],
    ["completed", "completed", here.completed],
    ["gone", "left", here.gone],
    ...kindsOf(study).map(
      ({ monitor: { refusal } }) => [refusal.tone, refusal.title, refusal.count(here)] as const,
    ),
    ...(here.hearing_failed > 0
      ? [["bad", "not let in: hearing", here.hearing_failed] as const]
      : []),
    ...(here.ineligible > 0 ? [["bad", "not eligible", here.ineligible] as const] : []),
    ["withdrawn", "withdrew", here.withdrawn],
  ];
  const total = places.reduce((sum, [, , number]) => sum + number, 0);
  return (
    <TitledCard id="whereabouts" title="Where they are">
      {total > 0 && (
        <div className={styles.bar} aria-hidden="true">
          {places.map(([mark, name, number]) => (
            <span key={name} className={styles[mark]} style={{ flexGrow: number }} />
          ))}
        </div>
      )}
      <dl className={clsx(styles.whereabouts, swatches.swatches)}>
        {places.map(([mark, name, number]) => (
          <div key={name} className={styles[mark]}>
            <dt>{name}</dt>
            <dd>{number}</dd>
          </div>
        ))}
      </dl>
      <TargetBars targets={monitor.targets} stopsOn={monitor.stops_on} />
      <p className={look.small}>
        <strong>{exclusions.analysable}</strong> of the completed sessions can be analysed.{" "}
        {exclusions.participants} will be left out, {exclusions.by_researcher} of them by you: these
        make room for somebody else, those under a declared rule do not.
      </p>
    </TitledCard>
  );
}
