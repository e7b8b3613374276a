// Rows and columns, which scroll by themselves where the page is too narrow for them.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef } from "react";
import styles from "./Table.module.css";

interface TableProps extends ComponentPropsWithRef<"table"> {
  /** Says what is in it, and names the place that scrolls. */
  readonly label: string;
  /** No higher than a part of the window. */
  readonly tall?: boolean;
}

export function Table({ label, tall = false, className, ...rest }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys
    <section className={clsx(styles.scroll, tall && styles.tall)} aria-label={label} tabIndex={0}>
      <table {...rest} className={clsx(styles.table, className)} />
    </section>
  );
}
