// A few numbers, large, each with its name beneath it.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { type Term, Terms } from "../design/Pairs";
import styles from "./Counts.module.css";

interface CountsProps {
  readonly of: readonly Term[];
  readonly className?: string | undefined;
}

export function Counts({ of, className }: CountsProps) {
  return (
    <dl className={clsx(styles.counts, className)}>
      <Terms of={of} />
    </dl>
  );
}
