// What belongs together, on a ground of its own.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ElementType } from "react";
import type { As } from "./as";
import styles from "./Card.module.css";

/** A section unless it says otherwise; a section needs a name. */
export function Card<Tag extends ElementType = "section">({ as, className, ...rest }: As<Tag>) {
  const Element: ElementType = as ?? "section";
  return <Element {...rest} className={clsx(styles.card, className)} />;
}
