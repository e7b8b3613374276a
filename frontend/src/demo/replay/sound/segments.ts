// Where in a demo's time there is sound to be heard again, piece by piece. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { DemoTakeRecord } from "../../../api/generated";
import { STREAMS } from "../../streams";
import { lanesOf, type NamedLane } from "../../takes";

/** A piece of a take's sound: as much as is fetched and decoded at a time. */
export interface Segment {
  readonly take: number;
  /** From 0. */
  readonly piece: number;
  /** Since the demo began. */
  readonly from_ms: number;
  readonly length_ms: number;
  readonly lanes: readonly NamedLane[];
}

/** Of all takes, in order of time. */
export const segmentsOf = (takes: readonly DemoTakeRecord[]): Segment[] =>
  takes.flatMap((take) => {
    const { number, sound } = take;
    if (!sound) return [];
    const { began_at_ms, length_ms, piece_ms } = sound;
    return Array.from({ length: Math.ceil(length_ms / piece_ms) }, (_, piece) => ({
      take: number,
      piece,
      from_ms: began_at_ms + piece * piece_ms,
      length_ms: Math.min(piece_ms, length_ms - piece * piece_ms),
      lanes: lanesOf(take),
    }));
  });

export const untilOf = ({ from_ms, length_ms }: Segment): number => from_ms + length_ms;

/** Which lane of a take is heard by who chose a letter; the first by who chose one that it has not. */
export const letterIn = (lanes: readonly NamedLane[], chosen: string): string =>
  lanes.some(({ letter }) => letter === chosen) ? chosen : (lanes[0]?.letter ?? chosen);

/** Why a take cannot be heard; null: it can. */
export function silenceOf(take: DemoTakeRecord): string | null {
  if (take.sound) return null;
  return STREAMS[take.settings.stream.kind].silence;
}
