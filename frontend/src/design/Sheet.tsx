// A page: one heading, and what stands under it.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { type ReactNode, useEffect, useRef } from "react";
import styles from "./Sheet.module.css";

interface SheetProps {
  readonly title: string;
  /** The tab's title when it should say more than the heading. */
  readonly tab?: string;
  readonly above?: ReactNode;
  readonly wide?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** Whenever the heading changes it takes the focus, so that a screen reader says where the reader
 * is now. */
export function Sheet({
  title,
  tab = title,
  above,
  wide = false,
  className,
  children,
}: SheetProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new title is what moves the focus
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [title]);
  useEffect(() => {
    document.title = tab === "Thinlab" ? tab : `${tab} · Thinlab`;
  }, [tab]);
  return (
    <main className={clsx(styles.sheet, wide && styles.wide, className)}>
      {above}
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </main>
  );
}
