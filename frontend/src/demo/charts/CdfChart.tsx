// The running distributions: last minute against the whole take.
// SPDX-License-Identifier: Apache-2.0
import { type ReactNode, useState } from "react";
import { ChartCard } from "./ChartCard";
import { Choice } from "./Choice";
import { CDF_PX, type CdfChoice, drawCdf, type LatencyOf, type WeightedBy } from "./drawCdf";
import { LaneFiguresTable } from "./FiguresTable";
import { FELT_ROWS, latencyRows } from "./figures";
import { SCALES, type ScaleName } from "./scaleChoice";
import { type ChartProps, useStillPainting } from "./usePainting";

const OF: Readonly<Record<LatencyOf, string>> = {
  application: "application",
  transport: "transport",
  felt: "write to read",
};
const WEIGHTED: Readonly<Record<WeightedBy, string>> = {
  message: "messages",
  byte: "bytes",
};

const LEGEND = [{ text: "Thick: whole take. Thin: last minute" }];

export function CdfChart(props: ChartProps) {
  const [own, choices] = useCdfChoice();
  const { of, weighted } = own;
  const painting = useStillPainting(props, own, drawCdf);
  return (
    <ChartCard
      chart={props}
      title="Distribution of latency"
      painting={painting}
      height_px={CDF_PX}
      label="Shares of messages by latency, by lane, of the whole take and of its last minute; the table has the quantiles"
      choices={choices}
      legend={LEGEND}
      table={
        <LaneFiguresTable
          chart={props}
          rows={of === "felt" ? FELT_ROWS : latencyRows(weighted)}
          caption="Quantiles of latency"
        />
      }
    />
  );
}

/** Which latency, of what, on which scale; and the fields that say so. */
export function useCdfChoice(): [CdfChoice, ReactNode] {
  const [of, setOf] = useState<LatencyOf>("application");
  const [weighted, setWeighted] = useState<WeightedBy>("message");
  const [scale, setScale] = useState<ScaleName>("logarithmic");
  const fields = (
    <>
      <Choice name="Latency" options={OF} chosen={of} onChoose={setOf} />
      {of !== "felt" && (
        <Choice name="of" options={WEIGHTED} chosen={weighted} onChoose={setWeighted} />
      )}
      <Choice name="Scale" options={SCALES} chosen={scale} onChoose={setScale} />
    </>
  );
  return [{ of, weighted, logarithmic: scale === "logarithmic" }, fields];
}
