// How a chart gets onto its canvas: it looks whether anything to be seen has
// changed since the last frame, and draws only then.
// SPDX-License-Identifier: Apache-2.0
import { ladderStretch } from "./ladderGeometry";
import type { Naming } from "./lanes";
import type { Palette } from "./palette";
import { drawText, type Pen, type Size } from "./pen";
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

/** A picture that moves with time. */
export interface TimePicture<Model> {
  shown_ms(): number;
  /** Asked once a frame, before the model; says what the drawing depends on besides time,
   * data and size. */
  look(now_ms: number): string;
  model(now_ms: number): Model;
  drawStretch(pen: Pen, model: Model, stretch: Stretch, size: Size, palette: Palette): void;
  drawOver(pen: Pen, model: Model, stretch: Stretch, size: Size, palette: Palette): void;
}

export function timePainting<Model extends object>(
  view: ChartView,
  picture: TimePicture<Model>,
): Painting {
  const tiles = new Tiles();
  const { store } = view.feed;
  let painted = "";
  return {
    paint({ context, width, height, ratio }, palette, fresh) {
      const { now_ms } = view;
      if (Number.isNaN(now_ms)) {
        paintWaiting(context, { width, height }, ratio, palette);
        return;
      }
      const shown_ms = picture.shown_ms();
      const look = `${picture.look(now_ms)} ${palette.paper} ${palette.ink}`;
      const place_px = Math.round((now_ms * width * ratio) / shown_ms);
      const state = `${look} ${place_px} ${store.version} ${shown_ms} ${width} ${height} ${ratio}`;
      if (state === painted && !fresh) return;
      painted = state;
      const model = picture.model(now_ms);
      const size = { width, height };
      tiles.paint(context, { ...size, ratio, shown_ms, now_ms }, look, (pen, stretch) =>
        picture.drawStretch(pen, model, stretch, size, palette),
      );
      context.save();
      context.scale(ratio, ratio);
      picture.drawOver(context, model, ladderStretch(size, now_ms, shown_ms), size, palette);
      context.restore();
    },
    shown_ms: () => picture.shown_ms(),
    draw(pen, size, palette, naming) {
      const { now_ms } = view;
      if (Number.isNaN(now_ms)) return;
      const model = { ...picture.model(now_ms), ...naming };
      const stretch = ladderStretch(size, now_ms, picture.shown_ms());
      picture.drawStretch(pen, model, stretch, size, palette);
      picture.drawOver(pen, model, stretch, size, palette);
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
  const { store } = view.feed;
  let painted = "";
  return {
    paint({ context, width, height, ratio }, palette, fresh) {
      const { now_ms } = view;
      if (Number.isNaN(now_ms)) {
        paintWaiting(context, { width, height }, ratio, palette);
        return;
      }
      // How long ago the last event was is told in seconds.
      const second = Math.floor(now_ms / 1000);
      const look = `${picture.look(now_ms)} ${palette.paper} ${palette.ink}`;
      const state = `${look} ${second} ${store.figures_version} ${width} ${height} ${ratio}`;
      if (state === painted && !fresh) return;
      painted = state;
      context.save();
      context.scale(ratio, ratio);
      picture.draw(context, now_ms, { width, height }, palette);
      context.restore();
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
  let painted = "";
  return {
    paint({ context, width, height, ratio }, palette, fresh) {
      const state = `${look()} ${palette.paper} ${palette.ink} ${width} ${height} ${ratio}`;
      if (state === painted && !fresh) return;
      painted = state;
      context.save();
      context.scale(ratio, ratio);
      draw(context, { width, height }, palette);
      context.restore();
    },
    draw: (pen, size, palette) => draw(pen, size, palette),
    shown_ms: () => null,
    open: () => () => {},
  };
}

function paintWaiting(
  context: CanvasRenderingContext2D,
  size: Size,
  ratio: number,
  palette: Palette,
): void {
  context.save();
  context.scale(ratio, ratio);
  context.fillStyle = palette.paper;
  context.fillRect(0, 0, size.width, size.height);
  drawText(context, "Nothing has been sent yet.", size.width / 2, size.height / 2, {
    colour: palette.inkSoft,
    font: palette.font,
    align: "center",
  });
  context.restore();
}
