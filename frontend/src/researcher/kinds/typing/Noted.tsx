// Something in a table, with what is worth a softer word behind it.
// SPDX-License-Identifier: Apache-2.0
import type { ReactNode } from "react";
import look from "../../../design/look.module.css";

interface NotedProps {
  /** With its own space before it; empty or false: nothing is worth one. */
  readonly note: string | false;
  readonly children: ReactNode;
}

export function Noted({ note, children }: NotedProps) {
  return (
    <>
      {children}
      {note && <span className={look.soft}>{note}</span>}
    </>
  );
}
