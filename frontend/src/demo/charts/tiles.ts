// Draws what moves with time frugally: what will not change any more is drawn
// once, on tiles that are then only copied; the newest part is drawn each time.
// SPDX-License-Identifier: Apache-2.0
import type { Pen, Size } from "../../charts/pen";
import type { Stretch } from "./stretch";

const TILE_PX = 128;
/** What marks reach beyond their instant. */
const OVERHANG_PX = 24;
/** Younger than this, things still become known. */
const UNSETTLED_MS = 700;

export type DrawStretch = (pen: Pen, stretch: Stretch) => void;

export interface TimeView extends Size {
  /** Device pixels to a CSS pixel. */
  readonly ratio: number;
  readonly shown_ms: number;
  /** The instant at the right edge. */
  readonly now_ms: number;
}

interface Tile {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
}

export class Tiles {
  #tiles = new Map<number, Tile>();
  #spare: Tile[] = [];
  #look = "";
  #px_per_ms = 1;
  #height = 0;
  #ratio = 1;

  /** From here on things look different; −∞: all of them. */
  touch(from_ms: number): void {
    const from_px = from_ms * this.#px_per_ms - OVERHANG_PX * this.#ratio;
    for (const index of this.#tiles.keys()) {
      if ((index + 1) * TILE_PX > from_px) this.#discard(index);
    }
  }

  /** `look` says all that the drawing depends on besides time and data. */
  paint(context: CanvasRenderingContext2D, view: TimeView, look: string, draw: DrawStretch): void {
    const { ratio, now_ms, shown_ms } = view;
    const width = Math.round(view.width * ratio);
    const height = Math.round(view.height * ratio);
    const px_per_ms = width / shown_ms;
    const whole_look = `${look} ${width} ${height} ${ratio} ${shown_ms}`;
    if (whole_look !== this.#look || height !== this.#height) {
      this.#px_per_ms = px_per_ms;
      this.#height = height;
      this.#ratio = ratio;
      this.touch(Number.NEGATIVE_INFINITY);
      this.#look = whole_look;
    }
    const right = Math.round(now_ms * px_per_ms);
    const left = right - width;
    const settled = Math.floor(((now_ms - UNSETTLED_MS) * px_per_ms) / TILE_PX);
    const first = Math.floor(left / TILE_PX);
    for (const index of this.#tiles.keys()) if (index < first) this.#discard(index);
    for (let index = first; index < settled; index++) {
      const tile = this.#tiles.get(index) ?? this.#draw(index, view, px_per_ms, draw);
      context.drawImage(tile.canvas, index * TILE_PX - left, 0);
    }
    const from = Math.max(first, settled) * TILE_PX;
    context.save();
    context.beginPath();
    context.rect(from - left, 0, right - from, height);
    context.clip();
    context.translate(from - left, 0);
    context.scale(ratio, ratio);
    draw(context, {
      from_ms: from / px_per_ms,
      to_ms: right / px_per_ms,
      px_per_ms: px_per_ms / ratio,
      now_ms,
    });
    context.restore();
  }

  #draw(index: number, view: TimeView, px_per_ms: number, draw: DrawStretch): Tile {
    const tile = this.#spare.pop() ?? newTile();
    const { canvas, context } = tile;
    if (canvas.height !== this.#height) {
      canvas.width = TILE_PX;
      canvas.height = this.#height;
    }
    context.save();
    context.scale(view.ratio, view.ratio);
    draw(context, {
      from_ms: (index * TILE_PX) / px_per_ms,
      to_ms: ((index + 1) * TILE_PX) / px_per_ms,
      px_per_ms: px_per_ms / view.ratio,
      now_ms: view.now_ms,
    });
    context.restore();
    this.#tiles.set(index, tile);
    return tile;
  }

  #discard(index: number): void {
    const tile = this.#tiles.get(index);
    if (!tile) return;
    this.#tiles.delete(index);
    if (this.#spare.length < 16) this.#spare.push(tile);
  }
}

function newTile(): Tile {
  const canvas = document.createElement("canvas");
  canvas.width = TILE_PX;
  canvas.height = 0;
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) throw new Error("This browser gives no canvas to draw on.");
  return { canvas, context };
}
