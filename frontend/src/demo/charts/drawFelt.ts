// What people notice: the share of messages (of echoes, where keys are typed) that
// were later than the flow's quickest by so much; as the agent counted them.
// SPDX-License-Identifier: Apache-2.0

import type { FeltMetrics } from "../../api/generated";
import { drawText, type Pen, type Size } from "../../charts/pen";
import type { FeedStore } from "../feed/store";
import { drawLastEvent, FOOT_PX } from "./drawEvents";
import { type DemoLane, lookOf, type Naming } from "./lanes";
import type { Palette } from "./palette";
import { heightOf, roundUp } from "./scales";

export const LATER_THAN_MS = [50, 100, 150, 400] as const;
const HEAD_PX = 8;
const GROUP_HEAD_PX = 18;
const BAR_PX = 15;
const GROUP_GAP_PX = 8;
const LEFT_PX = 24;
const NUMBERS_PX = 128;

export const feltHeight = (lanes: number): number =>
  HEAD_PX + LATER_THAN_MS.length * (GROUP_HEAD_PX + lanes * BAR_PX + GROUP_GAP_PX) + FOOT_PX + 4;

export interface FeltModel extends Partial<Naming> {
  readonly store: FeedStore;
  readonly lanes: readonly DemoLane[];
  readonly now_ms: number;
}

/** null: this agent does not count it. */
export const laterShare = (
  felt: FeltMetrics,
  later_ms: (typeof LATER_THAN_MS)[number],
): number | null => felt[`share_later_than_${later_ms}_ms`] ?? null;

export const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

export function drawFelt(pen: Pen, model: FeltModel, size: Size, palette: Palette): void {
  const { store, lanes } = model;
  pen.fillStyle = palette.paper;
  pen.fillRect(0, 0, size.width, size.height);
  const figuresOf = ({ lane }: DemoLane) => store.lanes[lane]?.figures ?? null;
  const shares = lanes
    .map(figuresOf)
    .flatMap((one) =>
      [one?.whole, one?.last_minute].map((part) => (part ? (laterShare(part.felt, 50) ?? 0) : 0)),
    );
  const scale = {
    least: 0,
    most: Math.min(1, roundUp(Math.max(0.01, ...shares))),
    logarithmic: false,
  };
  const wide = size.width - LEFT_PX - NUMBERS_PX;
  let y = HEAD_PX;
  for (const later_ms of LATER_THAN_MS) {
    drawText(pen, `Later than ${later_ms} ms`, 6, y + 13, {
      colour: palette.ink,
      font: palette.font,
    });
    y += GROUP_HEAD_PX;
    for (const lane of lanes) {
      const one = figuresOf(lane);
      const colour = palette.lanes[lookOf(lane)] ?? palette.ink;
      drawText(pen, lane.letter, 8, y + 11, { colour, font: `700 ${palette.font}` });
      const whole = one ? laterShare(one.whole.felt, later_ms) : null;
      const minute = one?.last_minute ? laterShare(one.last_minute.felt, later_ms) : null;
      if (whole !== null) {
        pen.fillStyle = colour;
        pen.fillRect(LEFT_PX, y + 2, Math.max(1, heightOf(whole, scale) * wide), BAR_PX - 5);
        const text = minute === null ? percent(whole) : `${percent(whole)}  |  ${percent(minute)}`;
        drawText(pen, text, size.width - 6, y + 11, {
          colour: palette.ink,
          font: palette.font,
          align: "right",
        });
      }
      if (minute !== null) {
        const x = LEFT_PX + heightOf(minute, scale) * wide;
        pen.strokeStyle = palette.ink;
        pen.lineWidth = 2;
        pen.setLineDash([]);
        pen.beginPath();
        pen.moveTo(x, y);
        pen.lineTo(x, y + BAR_PX - 1);
        pen.stroke();
      }
      y += BAR_PX;
    }
    y += GROUP_GAP_PX;
  }
  drawLastEvent(pen, model, 6, size, palette);
}
