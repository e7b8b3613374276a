// A chart's canvas: as wide as its place, as sharp as the screen, drawn in the one
// loop of frames while it is in sight.
// SPDX-License-Identifier: Apache-2.0
import { type CanvasHTMLAttributes, useEffect, useRef } from "react";
import { drawInSight } from "./frames";
import type { Painting } from "./painting";
import { palette } from "./palette";

interface SurfaceProps extends Omit<CanvasHTMLAttributes<HTMLCanvasElement>, "height"> {
  readonly painting: Painting;
  /** In CSS pixels. */
  readonly height_px: number;
}

export function Surface({ painting, height_px, ...rest }: SurfaceProps) {
  const place = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = place.current;
    const context = canvas?.getContext("2d", { alpha: false });
    if (!canvas || !context) return;
    let fresh = true;
    let width = canvas.clientWidth;
    const resized = new ResizeObserver(() => {
      width = canvas.clientWidth;
    });
    resized.observe(canvas);
    const draw = () => {
      if (width === 0) return;
      const ratio = devicePixelRatio;
      const [wide, high] = [Math.round(width * ratio), Math.round(height_px * ratio)];
      if (canvas.width !== wide || canvas.height !== high) {
        canvas.width = wide;
        canvas.height = high;
        fresh = true;
      }
      painting.paint({ context, width, height: height_px, ratio }, palette(), fresh);
      fresh = false;
    };
    // Also what is not in sight has to look like something when it comes into it.
    draw();
    const stop = drawInSight(canvas, draw);
    return () => {
      stop();
      resized.disconnect();
    };
  }, [painting, height_px]);
  return <canvas ref={place} className="demo-canvas" style={{ height: height_px }} {...rest} />;
}
