// What people notice of the delays, as the agent counted it.
// SPDX-License-Identifier: Apache-2.0
import { ChartCard } from "./ChartCard";
import { drawFelt, feltHeight } from "./drawFelt";
import { LaneFiguresTable } from "./FiguresTable";
import { FELT_ROWS } from "./figures";
import { type ChartProps, useStillPainting } from "./usePainting";

const LEGEND = [
  { text: "Shares of messages that came so much later than the quickest" },
  { text: "Bar, first number: whole take. Stroke, second: last minute" },
];

export function FeltChart(props: ChartProps) {
  const painting = useStillPainting(props, {}, drawFelt);
  return (
    <ChartCard
      chart={props}
      title="Felt delays"
      painting={painting}
      height_px={feltHeight(Math.max(1, props.lanes.length))}
      label="Shares of messages that came later than the quickest by 50, 100, 150 and 400 ms, by lane; the table has them as numbers"
      legend={LEGEND}
      table={<LaneFiguresTable chart={props} rows={FELT_ROWS} caption="Felt delays, figures" />}
    />
  );
}
