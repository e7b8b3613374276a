// A state, in a word.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef } from "react";
import styles from "./Tag.module.css";

export type Tone = "good" | "warn" | "bad";

interface TagProps extends ComponentPropsWithRef<"span"> {
  readonly tone?: Tone | undefined;
}

export function Tag({ tone, className, ...rest }: TagProps) {
  return <span {...rest} className={clsx(styles.tag, tone && styles[tone], className)} />;
}
