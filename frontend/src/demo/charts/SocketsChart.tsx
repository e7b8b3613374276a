// The senders' connections over time, as their kernel tells.
// SPDX-License-Identifier: Apache-2.0
import { ChartCard } from "./ChartCard";
import { SOCKETS_PX } from "./drawSockets";
import { StateTable } from "./FiguresTable";
import { SOCKET_ROWS } from "./figures";
import { HistoryChoice } from "./HistoryChoice";
import { timePainting } from "./painting";
import { socketsPicture } from "./pictures";
import { type ChartProps, usePainting } from "./usePainting";

const LEGEND = [{ text: "Triangle: the timer was doubled, with how many times it is as long" }];

export function SocketsChart(props: ChartProps) {
  const { view, lanes } = props;
  const painting = usePainting(props, {}, (own, settings) =>
    timePainting(own, socketsPicture(own, settings)),
  );
  return (
    <ChartCard
      chart={props}
      title="Sockets"
      painting={painting}
      height_px={SOCKETS_PX}
      label="Packets in flight, congestion window and retransmission timeout over time, by lane; the table has what they are now"
      choices={<HistoryChoice view={view} />}
      legend={LEGEND}
      table={
        <StateTable
          view={view}
          lanes={lanes}
          rows={SOCKET_ROWS}
          of={({ sockets }) => sockets.last ?? null}
          caption="Sockets now"
        />
      }
    />
  );
}
