// What is what: names and, beside each, its value.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import type { ComponentPropsWithRef, ReactNode } from "react";
import styles from "./Pairs.module.css";

/** Each pair is a `<div>` of `<dt>` and `<dd>`. */
export function Pairs({ className, ...rest }: ComponentPropsWithRef<"dl">) {
  return <dl {...rest} className={clsx(styles.pairs, className)} />;
}

export type Term = readonly [name: string, value: ReactNode];

/** What a list of pairs, or any other `<dl>`, has in it. */
export function Terms({ of }: { readonly of: readonly Term[] }) {
  return of.map(([name, value]) => (
    <div key={name}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  ));
}
