// A painting that lives as long as its chart is on the page.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import type { Pen, Size } from "../../charts/pen";
import type { FeedStore } from "../feed/store";
import type { About } from "./caption";
import type { DemoLane, Naming } from "./lanes";
import {
  type Painting,
  type ShownStretch,
  stillPainting,
  type TimePicture,
  timePainting,
} from "./painting";
import type { Palette } from "./palette";
import type { Settings } from "./pictures";
import type { ChartView, Shown } from "./view";

export interface ChartProps {
  readonly view: ChartView;
  /** In the order of their letters: so everything else stands, too. */
  readonly lanes: readonly DemoLane[];
  readonly about: About;
}

/** What a picture that does not move is drawn from, besides what its chart lets one choose. */
type StillModel = Settings &
  Partial<Naming> & { readonly store: FeedStore; readonly now_ms: number };

/** `make` is called anew only for another view; what changes meanwhile it reads from
 * the settings. */
function usePainting<Own extends object>(
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

/** Of a picture that moves with time. */
export const useTimePainting = <Own extends object, Model extends ShownStretch>(
  chart: Pick<ChartProps, "view" | "lanes">,
  own: Own,
  picture: (view: ChartView, settings: Settings & Own) => TimePicture<Model>,
): Painting =>
  usePainting(chart, own, (view, settings) => timePainting(view, picture(view, settings)));

/** Of a picture that changes with the figures and with what is chosen. */
export const useStillPainting = <Own extends object>(
  chart: Pick<ChartProps, "view" | "lanes">,
  own: Own,
  draw: (pen: Pen, model: StillModel & Own, size: Size, palette: Palette) => void,
): Painting =>
  usePainting(chart, own, (view, settings) =>
    stillPainting(view, {
      look: () => JSON.stringify(settings),
      draw: (pen, now_ms, size, palette, naming) =>
        draw(pen, { ...settings, ...naming, store: view.feed.store, now_ms }, size, palette),
    }),
  );

export const useShown = (view: ChartView): Shown =>
  useSyncExternalStore(view.subscribe, view.shown);

/** How many lanes the feed tells of. */
export function useLaneCount(view: ChartView): number {
  const { store } = view.feed;
  return useSyncExternalStore(store.subscribe, () => store.lanes.length);
}
