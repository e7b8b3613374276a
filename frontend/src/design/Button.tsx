// What is pressed, and a link that looks like it.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef, ElementType } from "react";
import type { As } from "./as";
import styles from "./Button.module.css";

interface Look {
  /** Beside one that matters more. */
  readonly quiet?: boolean;
  readonly slim?: boolean;
  readonly big?: boolean;
  /** What cannot be undone. */
  readonly grave?: boolean;
}

const look = ({ quiet, slim, big, grave }: Look, className?: string) =>
  clsx(
    styles.button,
    quiet && styles.quiet,
    slim && styles.slim,
    big && styles.big,
    grave && styles.grave,
    className,
  );

export function Button(props: ComponentPropsWithRef<"button"> & Look) {
  const { quiet, slim, big, grave, className, ...rest } = props;
  const classes = look({ quiet, slim, big, grave } as Look, className);
  return <button type="button" {...rest} className={classes} />;
}

export function ButtonLink<Tag extends ElementType = "a">(props: As<Tag, Look>) {
  const { as, quiet, slim, big, grave, className, ...rest } = props as As<"a", Look>;
  const Element: ElementType = as ?? "a";
  return <Element {...rest} className={look({ quiet, slim, big, grave } as Look, className)} />;
}
