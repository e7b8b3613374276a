// All charts of a demo, live or replayed, on one instant: the packets first, which a
// page may put where it likes, and the others.
// SPDX-License-Identifier: Apache-2.0

import { useEffect, useMemo, useRef } from "react";
import { Stack } from "../../design/Stack";
import type { Feed } from "../feed/feed";
import { CdfChart } from "./CdfChart";
import styles from "./DemoCharts.module.css";
import { FeltChart } from "./FeltChart";
import { eachFrame } from "./frames";
import { LadderChart } from "./LadderChart";
import { LatencyOverTime } from "./LatencyOverTime";
import { SocketsChart } from "./SocketsChart";
import type { ChartProps } from "./usePainting";
import { ChartView } from "./view";

interface PacketChartsProps extends ChartProps {
  /** Whether the stream is one that is heard. */
  readonly sound: boolean;
}

interface DemoChartsProps extends Omit<PacketChartsProps, "view"> {
  readonly feed: Feed;
}

export function DemoCharts({ feed, lanes, about, sound }: DemoChartsProps) {
  const view = useChartView(feed);
  return (
    <Stack gap={5} data-testid="demo-charts">
      <PacketCharts view={view} lanes={lanes} about={about} sound={sound} />
      <FigureCharts view={view} lanes={lanes} about={about} />
    </Stack>
  );
}

export function useChartView(feed: Feed): ChartView {
  const view = useMemo(() => new ChartView(feed), [feed]);
  useEffect(() => eachFrame((now_ms) => view.advance(now_ms)), [view]);
  return view;
}

/** What happens to each packet, and what is heard of it. */
export function PacketCharts(props: PacketChartsProps) {
  const { view } = props;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const newest = drawnEvents(view);
    return eachFrame(() => {
      const number = newest();
      // For whoever waits until a change is seen.
      if (number !== null) place.current?.setAttribute("data-drawn-event", String(number));
    });
  }, [view]);
  return (
    <div ref={place}>
      <LadderChart {...props} />
    </div>
  );
}

/** What the agent computed of them. */
export function FigureCharts(props: ChartProps) {
  return (
    <>
      <LatencyOverTime {...props} />
      <Stack gap={5} className={styles.pair}>
        <CdfChart {...props} />
        <FeltChart {...props} />
      </Stack>
      <SocketsChart {...props} />
    </>
  );
}

/** The number of the newest event that is shown, whenever it is another one. */
function drawnEvents(view: ChartView): () => number | null {
  let told = Number.NaN;
  return () => {
    const { events } = view.feed.store;
    const after = events.lowerBound(({ at_ms }) => at_ms, view.now_ms);
    const number = events.at(after - 1)?.number ?? Number.NaN;
    if (Object.is(number, told)) return null;
    told = number;
    return Number.isNaN(number) ? null : number;
  };
}
