// What people notice of the delays, as the agent counted it.
// SPDX-License-Identifier: Apache-2.0
import { ChartCard } from "./ChartCard";
import { drawFelt, feltHeight } from "./drawFelt";
import { LaneFiguresTable } from "./FiguresTable";
import { FELT_ROWS } from "./figures";
import { LaneLegend } from "./Legends";
import { stillPainting } from "./painting";
import { type ChartProps, usePainting } from "./usePainting";

export function FeltChart(props: ChartProps) {
  const { view, lanes } = props;
  const painting = usePainting(props, {}, (own, settings) =>
    stillPainting(own, {
      look: () => JSON.stringify(settings),
      draw: (pen, now_ms, size, palette) =>
        drawFelt(pen, { ...settings, store: own.feed.store, now_ms }, size, palette),
    }),
  );
  return (
    <ChartCard
      title="Felt delays"
      painting={painting}
      height_px={feltHeight(Math.max(1, lanes.length))}
      label="Shares of messages that came later than the quickest by 50, 100, 150 and 400 ms, by lane; the table has them as numbers"
      legend={<LaneLegend lanes={lanes} also="Bar: whole take. Stroke: last minute" />}
      table={
        <LaneFiguresTable
          view={view}
          lanes={lanes}
          rows={FELT_ROWS}
          caption="Felt delays, figures"
        />
      }
    />
  );
}
