// What unfolds something that few need, in the words that stand above it.
// SPDX-License-Identifier: Apache-2.0
import type { ComponentPropsWithRef } from "react";
import styles from "./Summary.module.css";

export function Summary(props: ComponentPropsWithRef<"summary">) {
  return <summary {...props} className={styles.summary} />;
}
