// A few words each, in a row of rounded frames: facts, answers, places on a way.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ElementType } from "react";
import type { As } from "./as";
import styles from "./Pills.module.css";

/** A list of `<li>`; with an order where it says so. */
export function Pills<Tag extends ElementType = "ul">({ as, className, ...rest }: As<Tag>) {
  const Element: ElementType = as ?? "ul";
  return <Element {...rest} className={clsx(styles.pills, className)} />;
}
