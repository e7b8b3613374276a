// How a chart gets onto its canvas: it looks whether anything to be seen has
// changed since the last frame, and draws only then.
// SPDX-License-Identifier: Apache-2.0

import { drawText, type Pen, type Size } from "../../charts/pen";
import { ladderStretch } from "./ladderGeometry";
import type { Naming } from "./lanes";
import type { Palette } from "./palette";
import type { Stretch } from "./stretch";
import { Tiles } from "./tiles";
import type { ChartView } from "./view";

export interface Target extends Size {
  readonly context: CanvasRenderingContext2D;
  /** Device pixels to a CSS pixel. */
  readonly ratio: number;
}

export interface Painting {
  /** `fresh`: the canvas is empty. */
  paint(target: Target, palette: Palette, fresh: boolean): void;
  /** The same picture whole, with any pen; with names of its own where it leaves the page. */
  draw(pen: Pen, size: Size, palette: Palette, naming?: Naming): void;
  /** What its axis of time shows; null: it has none. */
  shown_ms(): number | null;
  /** While it is on the page; returns how to stop. */
  open(): () => void;
}

/** The stretch of time that a model is of. */
export interface ShownStretch {
  readonly now_ms: number;
  readonly shown_ms: number;
}

/** Draws one of a picture's two layers. */
export type DrawLayer<Model> = (
  pen: Pen,
  model: Model,
  stretch: Stretch,
  size: Size,
  palette: Palette,
) => void;

/** A picture that moves with time. */
export interface TimePicture<Model extends ShownStretch> {
  shown_ms(): number;
  /** Asked once a frame, before the model; says what the drawing depends on besides time,
   * data and size. */
  look(now_ms: number): string;
  model(now_ms: number): Model;
  readonly drawStretch: DrawLayer<Model>;
  readonly drawOver: DrawLayer<Model>;
}

/** What drew the last picture, and whether the next one would be another. */
class LastLook {
  #look = "";

  /** Whether to draw: `look` says all that the picture depends on; a fresh canvas has none. */
  isOther(look: string, { ratio, width, height }: Target, palette: Palette, fresh: boolean) {
    const whole = `${look} ${palette.paper} ${palette.ink} ${width} ${height} ${ratio}`;
    if (whole === this.#look && !fresh) return false;
    this.#look = whole;
    return true;
  }
}

/** Draws in CSS pixels. */
function scaled(context: CanvasRenderingContext2D, ratio: number, draw: () => void): void {
  context.save();
  context.scale(ratio, ratio);
  draw();
  context.restore();
}

/** Both layers of a picture, one over the other. */
export function drawWhole<Model extends ShownStretch>(
  pen: Pen,
  { drawStretch, drawOver }: Pick<TimePicture<Model>, "drawStretch" | "drawOver">,
  model: Model,
  size: Size,
  palette: Palette,
): void {
  const stretch = ladderStretch(size, model.now_ms, model.shown_ms);
  drawStretch(pen, model, stretch, size, palette);
  drawOver(pen, model, stretch, size, palette);
}

export function timePainting<Model extends ShownStretch>(
  view: ChartView,
  picture: TimePicture<Model>,
): Painting {
  const tiles = new Tiles();
  const last = new LastLook();
  const { store } = view.feed;
  return {
    paint(target, palette, fresh) {
      const { context, width, height, ratio } = target;
      const { now_ms } = view;
      if (Number.isNaN(now_ms)) return paintWaiting(target, palette);
      const shown_ms = picture.shown_ms();
      const look = `${picture.look(now_ms)} ${palette.paper} ${palette.ink}`;
      const place_px = Math.round((now_ms * width * ratio) / shown_ms);
      const state = `${look} ${place_px} ${store.version} ${shown_ms}`;
      if (!last.isOther(state, target, palette, fresh)) return;
      const model = picture.model(now_ms);
      const size = { width, height };
      tiles.paint(context, { ...size, ratio, shown_ms, now_ms }, look, (pen, stretch) =>
        picture.drawStretch(pen, model, stretch, size, palette),
      );
      const stretch = ladderStretch(size, now_ms, shown_ms);
      scaled(context, ratio, () => picture.drawOver(context, model, stretch, size, palette));
    },
    shown_ms: () => picture.shown_ms(),
    draw(pen, size, palette, naming) {
      const { now_ms } = view;
      if (Number.isNaN(now_ms)) return;
      drawWhole(pen, picture, { ...picture.model(now_ms), ...naming }, size, palette);
    },
    open() {
      // What came while nobody told of it would be missing.
      tiles.touch(Number.NEGATIVE_INFINITY);
      return store.onTouched((from_ms) => tiles.touch(from_ms));
    },
  };
}

/** A picture that changes when there are new figures. */
export interface StillPicture {
  look(now_ms: number): string;
  draw(pen: Pen, now_ms: number, size: Size, palette: Palette, naming?: Naming): void;
}

export function stillPainting(view: ChartView, picture: StillPicture): Painting {
  const last = new LastLook();
  const { store } = view.feed;
  return {
    paint(target, palette, fresh) {
      const { context, ratio } = target;
      const { now_ms } = view;
      if (Number.isNaN(now_ms)) return paintWaiting(target, palette);
      // How long ago the last event was is told in seconds.
      const second = Math.floor(now_ms / 1000);
      const state = `${picture.look(now_ms)} ${second} ${store.figures_version}`;
      if (!last.isOther(state, target, palette, fresh)) return;
      scaled(context, ratio, () => picture.draw(context, now_ms, target, palette));
    },
    shown_ms: () => null,
    draw(pen, size, palette, naming) {
      if (!Number.isNaN(view.now_ms)) picture.draw(pen, view.now_ms, size, palette, naming);
    },
    open: () => () => {},
  };
}

/** A picture that only changes when somebody chooses something else. */
export function fixedPainting(
  look: () => string,
  draw: (pen: Pen, size: Size, palette: Palette) => void,
): Painting {
  const last = new LastLook();
  return {
    paint(target, palette, fresh) {
      const { context, ratio } = target;
      if (!last.isOther(look(), target, palette, fresh)) return;
      scaled(context, ratio, () => draw(context, target, palette));
    },
    draw: (pen, size, palette) => draw(pen, size, palette),
    shown_ms: () => null,
    open: () => () => {},
  };
}

function paintWaiting(target: Target, palette: Palette): void {
  const { context, width, height, ratio } = target;
  scaled(context, ratio, () => {
    context.fillStyle = palette.paper;
    context.fillRect(0, 0, width, height);
    drawText(context, "Nothing has been sent yet.", width / 2, height / 2, {
      colour: palette.inkSoft,
      font: palette.font,
      align: "center",
    });
  });
}
