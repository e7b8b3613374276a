// A painted chart in its place: as wide as the page lets it be, in the page's colours.
// SPDX-License-Identifier: Apache-2.0
import "uplot/dist/uPlot.min.css";
import { type RefObject, useEffect, useRef } from "react";
import type uPlot from "uplot";
import { useScheme } from "./scheme";

export const HEIGHT_PX = 300;

/** Where the chart goes that `paint` makes; it is painted anew when that is another function. */
export function usePlot(
  paint: (element: HTMLDivElement) => uPlot,
): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null);
  const dark = useScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme changes the colours read from the page
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const chart = paint(element);
    const fit = new ResizeObserver(() => {
      chart.setSize({ width: element.clientWidth, height: HEIGHT_PX });
    });
    fit.observe(element);
    return () => {
      fit.disconnect();
      chart.destroy();
    };
  }, [paint, dark]);
  return place;
}
