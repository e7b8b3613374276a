// What a test in a browser looks at: something on the page, until it is closed.
// SPDX-License-Identifier: Apache-2.0
import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";

export interface Rendered {
  readonly place: HTMLElement;
  readonly close: () => void;
}

export function rendered(node: ReactNode): Rendered {
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  root.render(node);
  return {
    place,
    close: () => {
      root.unmount();
      place.remove();
    },
  };
}
