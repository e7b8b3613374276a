// The packet ladder, with the sound that each lane's receiver made of its packets
// under them: one axis of time, packets that can be asked by click and by arrow keys.
// SPDX-License-Identifier: Apache-2.0
import { type KeyboardEvent, type MouseEvent, useId } from "react";
import { ChartCard } from "./ChartCard";
import { LaneFiguresTable, StateTable } from "./FiguresTable";
import { PACKET_ROWS, SOUND_ROWS } from "./figures";
import { Back, LadderControls } from "./LadderControls";
import {
  ladderHeight,
  ladderStretch,
  type PacketMove,
  packetAt,
  packetFrom,
  packetNear,
} from "./ladderGeometry";
import { type DemoLane, keptLanes } from "./lanes";
import { PACKET_ENTRIES, SOUND_ENTRIES } from "./legendEntries";
import { PacketDetails } from "./PacketDetails";
import { ladderSentence } from "./packetWords";
import { ladderPicture } from "./pictures";
import { Surface } from "./Surface";
import { type ChartProps, useLaneCount, useShown, useTimePainting } from "./usePainting";
import type { ChartView } from "./view";

/** How much of what is shown lies after a packet that was come to by keys. */
const AFTER_SHARE = 0.3;

const MOVES: Readonly<Record<string, PacketMove>> = {
  ArrowLeft: "previous",
  ArrowRight: "next",
  Home: "first",
  End: "last",
};

interface LadderChartProps extends ChartProps {
  /** Whether the stream is one that is heard. */
  readonly sound: boolean;
}

export function LadderChart(props: LadderChartProps) {
  const { view, lanes, sound } = props;
  const painting = useTimePainting(props, { sound }, ladderPicture);
  const height_px = ladderHeight(Math.max(1, useLaneCount(view)), sound);
  const { chosen } = useShown(view);
  const details = useId();
  const label = ladderSentence(lanes, sound);
  return (
    <ChartCard
      chart={props}
      title={sound ? "Packets and sound" : "Packets"}
      painting={painting}
      height_px={height_px}
      label={label}
      choices={<LadderControls view={view} />}
      legend={sound ? [...PACKET_ENTRIES, ...SOUND_ENTRIES] : PACKET_ENTRIES}
      laneLegend={false}
      table={
        <>
          <LaneFiguresTable chart={props} rows={PACKET_ROWS} caption="Packets, figures" />
          {sound && (
            <StateTable
              chart={props}
              rows={SOUND_ROWS}
              of={({ playout }) => playout}
              caption="Sound of the take, figures"
            />
          )}
        </>
      }
      surface={
        <Surface
          painting={painting}
          height_px={height_px}
          role="application"
          aria-roledescription="packet ladder"
          aria-label={`${label}. Left and right arrow go from packet to packet, up and down from lane to lane, space stops and goes on.`}
          aria-describedby={details}
          tabIndex={0}
          onClick={(event) => choose(props, event, height_px)}
          onKeyDown={(event) => walk(props, event)}
        />
      }
    >
      <Back view={view} />
      <PacketDetails id={details} view={view} lanes={lanes} chosen={chosen} />
    </ChartCard>
  );
}

function choose(
  { view, lanes, sound }: LadderChartProps,
  event: MouseEvent<HTMLCanvasElement>,
  height_px: number,
): void {
  view.freeze();
  const { now_ms, feed } = view;
  if (Number.isNaN(now_ms)) return;
  const box = event.currentTarget.getBoundingClientRect();
  const zoom = box.height / height_px;
  const size = { width: box.width / zoom, height: height_px };
  const [x, y] = [(event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom];
  const stretch = ladderStretch(size, now_ms, view.shown().ladder_ms);
  const chosen = packetAt(keptLanes(lanes, feed.store), x, y, stretch, sound);
  view.set({ chosen });
}

function walk(props: ChartProps, event: KeyboardEvent<HTMLCanvasElement>): void {
  const { view } = props;
  const { chosen, frozen_ms } = view.shown();
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === " ") {
    if (frozen_ms === null) view.freeze();
    else view.goOn();
  } else if (event.key === "Escape" && chosen) {
    view.set({ chosen: null });
  } else if (event.key in MOVES) {
    step(props, MOVES[event.key] as PacketMove);
  } else if (event.key === "ArrowUp" || event.key === "ArrowDown") {
    changeLane(props, event.key === "ArrowDown" ? 1 : -1);
  } else {
    return;
  }
  event.preventDefault();
}

function step({ view, lanes }: ChartProps, move: PacketMove): void {
  view.freeze();
  const { chosen } = view.shown();
  const { kept, place } = placeOf(view, lanes);
  const shown = kept[place];
  if (!shown) return;
  const [{ lane }, packets] = shown;
  const packet = packetFrom(packets, chosen?.number ?? null, move, stretchOf(view));
  if (packet) show(view, lane, packet);
}

function changeLane({ view, lanes }: ChartProps, by: number): void {
  view.freeze();
  const { chosen } = view.shown();
  const { kept, place } = placeOf(view, lanes);
  const from = kept[place]?.[1].packet(chosen?.number ?? -1);
  const next = kept[Math.min(kept.length - 1, Math.max(0, place + by))];
  const packet = next && packetNear(next[1], from?.sent_ms ?? view.now_ms);
  if (packet) show(view, next[0].lane, packet);
}

/** The lanes from top to bottom, and which of them the chosen packet is of; else the first. */
function placeOf(view: ChartView, lanes: readonly DemoLane[]) {
  const { chosen } = view.shown();
  const kept = keptLanes(lanes, view.feed.store);
  return {
    kept,
    place: Math.max(
      0,
      kept.findIndex(([{ lane }]) => lane === chosen?.lane),
    ),
  };
}

const stretchOf = (view: ChartView) => {
  const { ladder_ms } = view.shown();
  return ladderStretch({ width: 1, height: 1 }, view.now_ms, ladder_ms);
};

/** Chooses a packet and brings it into sight. */
function show(view: ChartView, lane: number, packet: { number: number; sent_ms: number }): void {
  const { from_ms, now_ms } = stretchOf(view);
  const { ladder_ms } = view.shown();
  const inside = packet.sent_ms >= from_ms && packet.sent_ms <= now_ms;
  view.set({
    chosen: { lane, number: packet.number },
    ...(inside ? {} : { frozen_ms: view.within(packet.sent_ms + AFTER_SHARE * ladder_ms) }),
  });
}
