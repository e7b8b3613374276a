// What a reader must not miss.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ReactNode } from "react";
import styles from "./Notice.module.css";
import { type Tone, toneClass } from "./tone";

interface NoticeProps {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children?: ReactNode;
}

export function Notice({ tone, title, children }: NoticeProps) {
  return (
    <div className={clsx(styles.notice, toneClass(tone))}>
      {title && <strong>{title}</strong>}
      {children}
    </div>
  );
}
