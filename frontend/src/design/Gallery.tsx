// Cards that are alike, as many beside each other as there is room for.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef } from "react";
import styles from "./Gallery.module.css";

/** A class may set `--least`, the width that a card needs. */
export function Gallery({ className, ...rest }: ComponentPropsWithRef<"ul">) {
  return <ul {...rest} className={clsx(styles.gallery, className)} />;
}
