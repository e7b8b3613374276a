// A painting that lives as long as its chart is on the page.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { About } from "./caption";
import type { DemoLane } from "./lanes";
import type { Painting } from "./painting";
import type { Settings } from "./pictures";
import type { ChartView, Shown } from "./view";

export interface ChartProps {
  readonly view: ChartView;
  /** In the order of their letters: so everything else stands, too. */
  readonly lanes: readonly DemoLane[];
  readonly about: About;
}

/** `make` is called anew only for another view; what changes meanwhile it reads from
 * the settings. */
export function usePainting<Own extends object>(
  { view, lanes }: Pick<ChartProps, "view" | "lanes">,
  own: Own,
  make: (view: ChartView, settings: Settings & Own) => Painting,
): Painting {
  const settings = useRef({ lanes, ...own }).current;
  Object.assign(settings, { lanes }, own);
  // biome-ignore lint/correctness/useExhaustiveDependencies: how it is made is the same for a chart's whole life
  const painting = useMemo(() => make(view, settings), [view]);
  useEffect(() => painting.open(), [painting]);
  return painting;
}

export const useShown = (view: ChartView): Shown =>
  useSyncExternalStore(view.subscribe, view.shown);

/** How many lanes the feed tells of. */
export function useLaneCount(view: ChartView): number {
  const { store } = view.feed;
  return useSyncExternalStore(store.subscribe, () => store.lanes.length);
}
