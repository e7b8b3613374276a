// What a page says while the server does not answer.
// SPDX-License-Identifier: Apache-2.0
import { Notice } from "../design/Notice";

interface LostProps {
  /** In its own words, where it was able to answer that much. */
  readonly said?: string | null;
}

export function Lost({ said = null }: LostProps) {
  return (
    <Notice tone="warn" title={said ?? "The server cannot be reached"}>
      <p>What you see may be out of date. This page goes on by itself.</p>
    </Notice>
  );
}
