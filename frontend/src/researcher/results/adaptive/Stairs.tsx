// Each listener's staircase: the level of trial after trial, filled where the answer was right.
// SPDX-License-Identifier: Apache-2.0

import type { PersonThreshold, StaircaseFindings } from "../../../api/generated";
import styles from "./Adaptive.module.css";
import { place, saidLevel } from "./levels";

const WIDTH = 200;
const HEIGHT = 90;
const EDGE = 6;

export function Stairs({ found }: { readonly found: StaircaseFindings }) {
  const values = found.levels.map(({ level }) => level);
  const ends: Ends = { least: Math.min(...values), most: Math.max(...values) };
  return (
    <div className={styles.people}>
      {found.people.map((person) => (
        <Stair key={person.participant} person={person} ends={ends} quantity={found.quantity} />
      ))}
    </div>
  );
}

interface Ends {
  readonly least: number;
  readonly most: number;
}

interface StairProps {
  readonly person: PersonThreshold;
  readonly ends: Ends;
  readonly quantity: StaircaseFindings["quantity"];
}

function Stair({ person, ends: { least, most }, quantity }: StairProps) {
  const { participant, steps, threshold } = person;
  const said = saidLevel(quantity, threshold);
  const x = (trial: number) => EDGE + ((WIDTH - 2 * EDGE) * trial) / Math.max(1, steps.length - 1);
  const y = (level: number) =>
    HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * place(level, least, most)) / 100;
  const right = steps.filter((step) => step.right).length;
  return (
    <figure className={styles.person}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${participant}: ${right} of ${steps.length} answers right, threshold ${said}`}
      >
        <line className={styles.own} x1={0} x2={WIDTH} y1={y(threshold)} y2={y(threshold)} />
        <polyline points={steps.map(({ level }, trial) => `${x(trial)},${y(level)}`).join(" ")} />
        {steps.map(({ level, right }, trial) => (
          <circle
            // biome-ignore lint/suspicious/noArrayIndexKey: a trial is its number
            key={trial}
            className={right ? styles.hit : styles.miss}
            cx={x(trial)}
            cy={y(level)}
            r={3.5}
          />
        ))}
      </svg>
      <figcaption>
        {participant}: {said}
      </figcaption>
    </figure>
  );
}
