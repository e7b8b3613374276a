// Every kind of trial, by its medium: each folder beside this file is one.
// SPDX-License-Identifier: Apache-2.0
import type { Kind } from "./kind";
import type { Medium } from "./words";

const files = import.meta.glob<Kind<Medium>>("./*/kind.ts", { import: "kind", eager: true });
const kinds = new Map(Object.values(files).map((kind) => [kind.medium, kind]));

/** @throws Error for a medium that no folder is for. */
export function kindOf<M extends Medium>({ medium }: { readonly medium: M }): Kind<M> {
  const kind = kinds.get(medium);
  if (!kind) throw new Error(`There is no page for trials that are ${medium}.`);
  return kind as unknown as Kind<M>;
}
