// Whether anybody is at this page. Pages here ask the server again and again by
// themselves; a tab that somebody has forgotten must not keep its session alive.
// SPDX-License-Identifier: Apache-2.0
import { api } from "../api/client";

const FORGOTTEN_MS = 60_000;
const TOUCHES = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

let touched_ms = performance.now();

for (const kind of TOUCHES) {
  addEventListener(
    kind,
    () => {
      touched_ms = performance.now();
    },
    { capture: true, passive: true },
  );
}

api.use({
  onRequest({ request }) {
    if (performance.now() - touched_ms > FORGOTTEN_MS) {
      request.headers.set("Thinlab-Untouched", "1");
    }
    return request;
  },
});
