// A bar that fills, and the words above it.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ReactNode } from "react";
import look from "./look.module.css";
import styles from "./Progress.module.css";

interface ProgressProps {
  /** 0…1 */
  readonly share: number;
  /** What fills, for a screen reader. Without it the bar says nothing that words beside it do not. */
  readonly label?: string;
  readonly className?: string | undefined;
  readonly children?: ReactNode;
}

export function Progress({ share, label, className, children }: ProgressProps) {
  const clamped = Math.min(1, Math.max(0, share));
  const told = label !== undefined && {
    role: "progressbar",
    "aria-label": label,
    "aria-valuemin": 0,
    "aria-valuemax": 100,
    "aria-valuenow": Math.round(clamped * 100),
  };
  const bar = (
    <span className={clsx(styles.track, className)} {...(told || { "aria-hidden": true })}>
      <span style={{ transform: `scaleX(${clamped})` }} />
    </span>
  );
  if (!children) return bar;
  return (
    <div className={styles.captioned}>
      <span className={look.small}>{children}</span>
      {bar}
    </div>
  );
}
