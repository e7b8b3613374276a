// A state, in a word.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef } from "react";
import styles from "./Tag.module.css";
import { type Tone, toneClass } from "./tone";

interface TagProps extends ComponentPropsWithRef<"span"> {
  readonly tone?: Tone | undefined;
}

export function Tag({ tone, className, ...rest }: TagProps) {
  return <span {...rest} className={clsx(styles.tag, toneClass(tone), className)} />;
}
