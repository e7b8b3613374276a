// Where an address leads to nothing: the way back to all of them.
// SPDX-License-Identifier: Apache-2.0
import { Link } from "wouter";
import { Sheet } from "../design/Sheet";

/** `all` is what the page at the base of the addresses has. */
export function NoSuchPage({ all }: { readonly all: string }) {
  return (
    <Sheet title="There is no such page">
      <p>
        <Link href="/">{all}</Link>
      </p>
    </Sheet>
  );
}
