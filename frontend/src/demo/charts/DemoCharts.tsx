// All charts of a demo, live or replayed, on one instant.
// SPDX-License-Identifier: Apache-2.0
import "../../charts/charts.css";
import "./demoCharts.css";
import { useEffect, useMemo, useRef, useState } from "react";
import { Button } from "../../design/elements";
import type { Feed } from "../feed/feed";
import { PACKETS_KEPT_MS } from "../feed/lane";
import { CdfChart } from "./CdfChart";
import { Choice } from "./Choice";
import { FeltChart } from "./FeltChart";
import { eachFrame } from "./frames";
import { LadderChart } from "./LadderChart";
import { LatencyOverTime } from "./LatencyOverTime";
import type { DemoLane } from "./lanes";
import { SocketsChart } from "./SocketsChart";
import { SoundChart } from "./SoundChart";
import { clockText } from "./stretch";
import { useShown } from "./usePainting";
import { ChartView } from "./view";

interface DemoChartsProps {
  readonly feed: Feed;
  /** In the order of the lanes' numbers. */
  readonly lanes: readonly DemoLane[];
  /** Whether the stream is one that is heard. */
  readonly sound: boolean;
}

const LADDER_S = { 1: "1 s", 2: "2 s", 5: "5 s", 10: "10 s", 20: "20 s" } as const;
const HISTORY_S = { 30: "30 s", 60: "1 min", 120: "2 min", 300: "5 min" } as const;

export function DemoCharts({ feed, lanes, sound }: DemoChartsProps) {
  const view = useMemo(() => new ChartView(feed), [feed]);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const newest = drawnEvents(view);
    return eachFrame((now_ms) => {
      view.advance(now_ms);
      const number = newest();
      // For whoever waits until a change is seen.
      if (number !== null) place.current?.setAttribute("data-drawn-event", String(number));
    });
  }, [view]);
  return (
    <div className="demo-charts" ref={place}>
      <Controls view={view} />
      <LadderChart view={view} lanes={lanes} />
      {sound && <SoundChart view={view} lanes={lanes} />}
      <LatencyOverTime view={view} lanes={lanes} />
      <div className="demo-pair">
        <CdfChart view={view} lanes={lanes} />
        <FeltChart view={view} lanes={lanes} />
      </div>
      <SocketsChart view={view} lanes={lanes} />
    </div>
  );
}

function Controls({ view }: { readonly view: ChartView }) {
  const { frozen_ms, ladder_ms, history_ms } = useShown(view);
  const frozen = frozen_ms !== null;
  return (
    <div className="row demo-controls">
      <Button quiet={!frozen} slim onClick={() => (frozen ? view.goOn() : view.freeze())}>
        {frozen ? "Go on with the charts" : "Stop the charts"}
      </Button>
      <Choice
        name="Packets and sound"
        options={LADDER_S}
        chosen={String(ladder_ms / 1000) as unknown as `${keyof typeof LADDER_S}`}
        onChoose={(seconds) => view.set({ ladder_ms: Number(seconds) * 1000 })}
      />
      <Choice
        name="Latency and sockets"
        options={HISTORY_S}
        chosen={String(history_ms / 1000) as unknown as `${keyof typeof HISTORY_S}`}
        onChoose={(seconds) => view.set({ history_ms: Number(seconds) * 1000 })}
      />
      {frozen && <Back view={view} frozen_ms={frozen_ms} />}
    </div>
  );
}

/** Goes back in what is kept of the packets, while the charts stand still. */
function Back({ view, frozen_ms }: { readonly view: ChartView; readonly frozen_ms: number }) {
  // As it was when the charts were stopped: a handle must not move by itself.
  const [latest_ms] = useState(view.latest_ms);
  return (
    <label className="demo-back small">
      <span>The demo goes on. Shown up to {clockText(frozen_ms, 100)}</span>
      <input
        type="range"
        min={Math.max(0, latest_ms - PACKETS_KEPT_MS)}
        max={latest_ms}
        step={100}
        value={frozen_ms}
        aria-valuetext={clockText(frozen_ms, 100)}
        onChange={(event) => view.set({ frozen_ms: Number(event.currentTarget.value) })}
      />
    </label>
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
