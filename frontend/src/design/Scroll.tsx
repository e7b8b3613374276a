// What scrolls by itself where the page is too narrow for it.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef } from "react";
import styles from "./Scroll.module.css";

interface ScrollProps extends ComponentPropsWithRef<"section"> {
  /** Names the place for whoever comes to it by keys. */
  readonly label: string;
}

export function Scroll({ label, className, ...rest }: ScrollProps) {
  return (
    <section
      {...rest}
      className={clsx(styles.scroll, className)}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
      tabIndex={0}
    />
  );
}
