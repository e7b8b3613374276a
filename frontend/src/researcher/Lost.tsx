// What a page says while the server does not answer.
// SPDX-License-Identifier: Apache-2.0
import { Notice } from "../design/elements";

export function Lost() {
  return (
    <Notice tone="warn" title="The server cannot be reached">
      <p>What you see may be out of date. This page goes on by itself.</p>
    </Notice>
  );
}
