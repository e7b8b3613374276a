// Things beside each other, on as many lines as they need.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ElementType } from "react";
import type { As } from "./as";
import styles from "./Row.module.css";

interface Own {
  /** The first at the one end, the last at the other. */
  readonly spread?: boolean;
  /** All on one line, however long one of them is. */
  readonly top?: boolean;
}

export function Row<Tag extends ElementType = "div">(props: As<Tag, Own>) {
  const { as, spread = false, top = false, className, ...rest } = props as As<"div", Own>;
  const Element: ElementType = as ?? "div";
  const classes = clsx(styles.row, spread && styles.spread, top && styles.top, className);
  return <Element {...rest} className={classes} />;
}
