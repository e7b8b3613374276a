// What a reader must not miss.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ReactNode } from "react";
import styles from "./Notice.module.css";

interface NoticeProps {
  readonly tone?: "good" | "warn" | "bad";
  readonly title?: string;
  readonly children?: ReactNode;
}

export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className={clsx(styles.notice, tone && styles[tone])}>
      {title && <strong>{title}</strong>}
      {children}
    </div>
  );
}
