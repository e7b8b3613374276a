// How far somebody is, as dashes; the heading says it in words.
// SPDX-License-Identifier: Apache-2.0

import { Progress } from "../design/Progress";
import styles from "./Steps.module.css";

/** More would be too narrow to tell apart: then one bar. */
const MOST_DASHES = 24;

interface StepsProps {
  readonly position: number;
  readonly total: number;
}

export function Steps({ position, total }: StepsProps) {
  if (total > MOST_DASHES) {
    const share = (position - 1) / total;
    return <Progress share={share} />;
  }
  const steps = Array.from({ length: total }, (_, index) => index + 1);
  return (
    <div className={styles.steps} data-testid="steps" aria-hidden="true">
      {steps.map((step) => (
        <span
          key={step}
          className={step < position ? styles.done : step === position ? styles.now : undefined}
        />
      ))}
    </div>
  );
}
