// All charts of a demo, live or replayed, on one instant: the packets first, which a
// page may put where it likes, and the others.
// SPDX-License-Identifier: Apache-2.0
import "../../charts/charts.css";
import "./demoCharts.css";
import { useEffect, useMemo, useRef } from "react";
import type { Feed } from "../feed/feed";
import { CdfChart } from "./CdfChart";
import { FeltChart } from "./FeltChart";
import { eachFrame } from "./frames";
import { LadderChart } from "./LadderChart";
import { LatencyOverTime } from "./LatencyOverTime";
import type { DemoLane } from "./lanes";
import { SocketsChart } from "./SocketsChart";
import { ChartView } from "./view";

interface ChartsProps {
  readonly view: ChartView;
  /** In the order of their letters: so everything else stands, too. */
  readonly lanes: readonly DemoLane[];
}

interface PacketChartsProps extends ChartsProps {
  /** Whether the stream is one that is heard. */
  readonly sound: boolean;
}

interface DemoChartsProps extends Omit<PacketChartsProps, "view"> {
  readonly feed: Feed;
}

export function DemoCharts({ feed, lanes, sound }: DemoChartsProps) {
  const view = useChartView(feed);
  return (
    <div className="demo-charts">
      <PacketCharts view={view} lanes={lanes} sound={sound} />
      <FigureCharts view={view} lanes={lanes} />
    </div>
  );
}

export function useChartView(feed: Feed): ChartView {
  const view = useMemo(() => new ChartView(feed), [feed]);
  useEffect(() => eachFrame((now_ms) => view.advance(now_ms)), [view]);
  return view;
}

/** What happens to each packet, and what is heard of it. */
export function PacketCharts({ view, lanes, sound }: PacketChartsProps) {
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
    <div className="demo-packets" ref={place}>
      <LadderChart view={view} lanes={lanes} sound={sound} />
    </div>
  );
}

/** What the agent computed of them. */
export function FigureCharts({ view, lanes }: ChartsProps) {
  return (
    <>
      <LatencyOverTime view={view} lanes={lanes} />
      <div className="demo-pair">
        <CdfChart view={view} lanes={lanes} />
        <FeltChart view={view} lanes={lanes} />
      </div>
      <SocketsChart view={view} lanes={lanes} />
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
