// What is on or off.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef, ReactNode } from "react";
import styles from "./Toggle.module.css";

interface ToggleProps extends ComponentPropsWithRef<"input"> {
  /** What is switched, and what there is to say of it. */
  readonly children: ReactNode;
}

export function Toggle({ children, className, ...rest }: ToggleProps) {
  return (
    <label className={clsx(styles.toggle, className)}>
      <input type="checkbox" {...rest} />
      {children}
    </label>
  );
}
