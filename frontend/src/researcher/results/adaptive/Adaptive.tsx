// Thresholds of adaptive blocks: the typical listener's, each listener's, and their staircases.
// SPDX-License-Identifier: Apache-2.0

import type { PersonThreshold, StaircaseFindings, StudyResults } from "../../../api/generated";
import { TitledCard } from "../../../design/Card";
import look from "../../../design/look.module.css";
import { type Column, Records } from "../../../design/Table";
import styles from "./Adaptive.module.css";
import { saidLevel } from "./levels";
import { Psychometric } from "./Psychometric";
import { Stairs } from "./Stairs";

export function Adaptive({ results }: { readonly results: StudyResults }) {
  const { staircases } = results;
  if (staircases.length === 0) return null;
  return (
    <TitledCard id="adaptive" title="Thresholds">
      <p className={look.note}>
        Each pair was chosen by the answers before it, so that it told most (QUEST+). At a threshold
        82 % of answers are right, lapses aside; 50 % are by guessing. Intervals are credible
        intervals of {Math.round(100 * results.confidence)} %.
      </p>
      {staircases.map((one) => (
        <Staircase key={`${one.block} ${one.clip}`} found={one} />
      ))}
    </TitledCard>
  );
}

function Staircase({ found }: { readonly found: StaircaseFindings }) {
  const { quantity, people, levels } = found;
  const columns: readonly Column<PersonThreshold>[] = [
    { title: "Participant", value: ({ participant }) => participant },
    { title: "Threshold", value: ({ threshold }) => saidLevel(quantity, threshold) },
    {
      title: "Interval",
      value: ({ low, high, beyond }) =>
        `${saidLevel(quantity, low)} to ${saidLevel(quantity, high)}${beyond ? ", beyond the levels" : ""}`,
    },
    {
      title: "Right",
      value: ({ steps }) => `${steps.filter(({ right }) => right).length} of ${steps.length}`,
    },
  ];
  return (
    <section className={styles.staircase} aria-label={`${found.block}, ${found.clip}`}>
      <p>{found.sentence}</p>
      <Psychometric found={found} />
      <details>
        <summary>Level by level</summary>
        <Records
          label={`Answers at each level of ${found.block}, ${found.clip}`}
          rows={levels}
          columns={[
            { title: "Level", value: ({ level }) => saidLevel(quantity, level) },
            { title: "Votes", value: ({ votes }) => votes },
            { title: "Right", value: ({ right }) => right },
          ]}
          keyOf={({ level }) => level}
        />
      </details>
      <Stairs found={found} />
      <details>
        <summary>Participant by participant</summary>
        <Records
          label={`Thresholds of ${found.block}, ${found.clip}`}
          rows={people}
          columns={columns}
          keyOf={({ participant }) => participant}
        />
      </details>
    </section>
  );
}
