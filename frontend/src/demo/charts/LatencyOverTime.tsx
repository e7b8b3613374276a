// Application and transport latency over time.
// SPDX-License-Identifier: Apache-2.0
import { useState } from "react";
import { ChartCard } from "./ChartCard";
import { Choice } from "./Choice";
import { LATENCY_PX } from "./drawLatency";
import { LaneFiguresTable } from "./FiguresTable";
import { latencyRows } from "./figures";
import { HistoryChoice } from "./HistoryChoice";
import { latencyPicture } from "./pictures";
import { SCALES, type ScaleName } from "./scaleChoice";
import { type ChartProps, useTimePainting } from "./usePainting";

const LEGEND = [
  { text: "Line: until the application can read it. Dots: until its packet arrived" },
];
const ROWS = latencyRows("message");

export function LatencyOverTime(props: ChartProps) {
  const [scale, setScale] = useState<ScaleName>("linear");
  const logarithmic = scale === "logarithmic";
  const painting = useTimePainting(props, { logarithmic }, latencyPicture);
  return (
    <ChartCard
      chart={props}
      title="Latency over time"
      painting={painting}
      height_px={LATENCY_PX}
      label="Latency of each message over time, by lane; the table has its figures"
      choices={
        <>
          <HistoryChoice view={props.view} />
          <Choice name="Scale" options={SCALES} chosen={scale} onChoose={setScale} />
        </>
      }
      legend={LEGEND}
      table={
        <LaneFiguresTable chart={props} rows={ROWS} caption="Latency of the messages, figures" />
      }
    />
  );
}
