// What belongs together, on a ground of its own.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef, ElementType } from "react";
import type { As } from "./as";
import styles from "./Card.module.css";

/** A section unless it says otherwise; a section needs a name. */
export function Card<Tag extends ElementType = "section">({ as, className, ...rest }: As<Tag>) {
  const Element: ElementType = as ?? "section";
  return <Element {...rest} className={clsx(styles.card, className)} />;
}

interface TitledCardProps extends ComponentPropsWithRef<"section"> {
  /** Of the title, which names the card. */
  readonly id: string;
  readonly title: string;
}

export function TitledCard({ id, title, children, ...rest }: TitledCardProps) {
  return (
    <Card {...rest} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </Card>
  );
}
