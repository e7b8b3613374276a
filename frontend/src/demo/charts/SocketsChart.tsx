// The senders' connections over time, as their kernel tells.
// SPDX-License-Identifier: Apache-2.0
import { ChartCard } from "./ChartCard";
import { SOCKETS_PX } from "./drawSockets";
import { StateTable } from "./FiguresTable";
import { SOCKET_ROWS } from "./figures";
import { HistoryChoice } from "./HistoryChoice";
import { socketsPicture } from "./pictures";
import { type ChartProps, useTimePainting } from "./usePainting";

const LEGEND = [{ text: "Triangle: the timer was doubled, with how many times it is as long" }];

export function SocketsChart(props: ChartProps) {
  const painting = useTimePainting(props, {}, socketsPicture);
  return (
    <ChartCard
      chart={props}
      title="Sockets"
      painting={painting}
      height_px={SOCKETS_PX}
      label="Packets in flight, congestion window and retransmission timeout over time, by lane; the table has what they are now"
      choices={<HistoryChoice view={props.view} />}
      legend={LEGEND}
      table={
        <StateTable
          chart={props}
          rows={SOCKET_ROWS}
          of={({ sockets }) => sockets.last ?? null}
          caption="Sockets now"
        />
      }
    />
  );
}
