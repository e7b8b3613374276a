// A short word to press: one of several settings, or a moment to go to.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef, ReactNode } from "react";
import styles from "./Chip.module.css";
import look from "./look.module.css";

interface ChipsProps {
  /** What they are, for a screen reader. */
  readonly name: string;
  readonly children: ReactNode;
}

export function Chips({ name, children }: ChipsProps) {
  return (
    <fieldset className={styles.chips}>
      <legend className={look.spoken}>{name}</legend>
      {children}
    </fieldset>
  );
}

export function Chip({ className, ...rest }: ComponentPropsWithRef<"button">) {
  return <button type="button" {...rest} className={clsx(styles.chip, className)} />;
}

/** One of several, as a radio button. */
export function ChipChoice({ children, ...rest }: ComponentPropsWithRef<"input">) {
  return (
    <label className={styles.choice}>
      <input type="radio" {...rest} className={look.spoken} />
      <span className={styles.chip}>{children}</span>
    </label>
  );
}
