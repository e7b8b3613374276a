// What is what: names and, beside each, its value.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef } from "react";
import styles from "./Pairs.module.css";

/** Each pair is a `<div>` of `<dt>` and `<dd>`. */
export function Pairs({ className, ...rest }: ComponentPropsWithRef<"dl">) {
  return <dl {...rest} className={clsx(styles.pairs, className)} />;
}
