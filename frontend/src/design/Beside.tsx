// Two things: beside each other on a desk's screen, one below the other on less.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef } from "react";
import styles from "./Beside.module.css";

/** As wide as each other, unless a class sets `--second` to the width of the second. */
export function Beside({ className, ...rest }: ComponentPropsWithRef<"div">) {
  return <div {...rest} className={clsx(styles.beside, className)} />;
}
