// Things one below the other, each as wide as their place and no wider.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ElementType } from "react";
import type { As } from "./as";
import styles from "./Stack.module.css";

const GAPS = {
  2: styles.gap2,
  3: styles.gap3,
  4: styles.gap4,
  5: styles.gap5,
  6: styles.gap6,
} as const;

interface Own {
  /** Which of the design's spaces is between them; as in a card, where none is named. */
  readonly gap?: keyof typeof GAPS;
}

export function Stack<Tag extends ElementType = "div">(props: As<Tag, Own>) {
  const { as, gap, className, ...rest } = props as As<"div", Own>;
  const Element: ElementType = as ?? "div";
  return <Element {...rest} className={clsx(styles.stack, gap && GAPS[gap], className)} />;
}
