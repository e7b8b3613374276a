// What was asked for and cannot be had, and what helps.
// SPDX-License-Identifier: Apache-2.0
import styles from "./Failure.module.css";
import { Notice } from "./Notice";

interface FailureProps {
  readonly title: string;
  readonly remedy?: string | null | undefined;
}

export function Failure({ title, remedy }: FailureProps) {
  return (
    <Notice tone="bad" title={title}>
      {remedy && <p>{remedy}</p>}
    </Notice>
  );
}

/** Why what somebody just did came to nothing; a screen reader says it as it appears. */
export function Trouble({ text }: { readonly text: string | null }) {
  return (
    <div role="alert" className={styles.trouble}>
      {text && <Notice tone="bad">{text}</Notice>}
    </div>
  );
}
