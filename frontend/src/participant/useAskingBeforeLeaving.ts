// Has the browser ask before the page is left, while something would be lost with it.
// SPDX-License-Identifier: Apache-2.0
import { useEffect } from "react";

export function useAskingBeforeLeaving(asking: boolean): void {
  useEffect(() => {
    if (!asking) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [asking]);
}
