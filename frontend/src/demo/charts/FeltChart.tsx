// What people notice of the delays, as the agent counted it.
// SPDX-License-Identifier: Apache-2.0
import { ChartCard } from "./ChartCard";
import { drawFelt, feltHeight } from "./drawFelt";
import { LaneFiguresTable } from "./FiguresTable";
import { FELT_ROWS } from "./figures";
import { stillPainting } from "./painting";
import { type ChartProps, usePainting } from "./usePainting";

const LEGEND = [
  { text: "Shares of messages that came so much later than the quickest" },
  { text: "Bar, first number: whole take. Stroke, second: last minute" },
];

export function FeltChart(props: ChartProps) {
  const { view, lanes } = props;
  const painting = usePainting(props, {}, (own, settings) =>
    stillPainting(own, {
      look: () => JSON.stringify(settings),
      draw: (pen, now_ms, size, palette, naming) =>
        drawFelt(pen, { ...settings, ...naming, store: own.feed.store, now_ms }, size, palette),
    }),
  );
  return (
    <ChartCard
      chart={props}
      title="Felt delays"
      painting={painting}
      height_px={feltHeight(Math.max(1, lanes.length))}
      label="Shares of messages that came later than the quickest by 50, 100, 150 and 400 ms, by lane; the table has them as numbers"
      legend={LEGEND}
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
