// The page's colours, for charts that are painted and cannot use the style sheet.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";

/** Whether the page is dark; a chart is painted anew when that changes. */
export function useScheme(): boolean {
  const [dark, setDark] = useState(() => matchMedia("(prefers-color-scheme: dark)").matches);
  useEffect(() => {
    const query = matchMedia("(prefers-color-scheme: dark)");
    const change = () => setDark(query.matches);
    query.addEventListener("change", change);
    return () => query.removeEventListener("change", change);
  }, []);
  return dark;
}

/** Of a token such as `--ink`, as it is now. */
export const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(name).trim();
