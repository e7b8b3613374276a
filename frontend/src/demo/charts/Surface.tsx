// A chart's canvas: as wide as its place, as sharp as the screen, drawn in the one
// loop of frames while it is in sight. It grows with the page's letters.
// SPDX-License-Identifier: Apache-2.0

import { type CanvasHTMLAttributes, useEffect, useRef } from "react";
import { drawInSight } from "./frames";
import type { Painting } from "./painting";
import { palette } from "./palette";
import styles from "./Surface.module.css";

interface SurfaceProps extends Omit<CanvasHTMLAttributes<HTMLCanvasElement>, "height"> {
  readonly painting: Painting;
  /** In the chart's own pixels, of which a letter of the page's size has 16. */
  readonly height_px: number;
}

export function Surface({ painting, height_px, ...rest }: SurfaceProps) {
  const place = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = place.current;
    const context = canvas?.getContext("2d", { alpha: false });
    if (!canvas || !context) return;
    let fresh = true;
    let [width, zoom] = [0, 1];
    const measure = () => {
      zoom = canvas.clientHeight / height_px || 1;
      width = canvas.clientWidth / zoom;
    };
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(canvas);
    const draw = () => {
      if (width === 0) return;
      const ratio = devicePixelRatio * zoom;
      const [wide, high] = [Math.round(width * ratio), Math.round(height_px * ratio)];
      if (canvas.width !== wide || canvas.height !== high) {
        canvas.width = wide;
        canvas.height = high;
        fresh = true;
      }
      painting.paint({ context, width, height: height_px, ratio }, palette(), fresh);
      fresh = false;
    };
    context.fillStyle = palette().paper;
    context.fillRect(0, 0, canvas.width, canvas.height);
    // On paper all of them are in sight.
    addEventListener("beforeprint", draw);
    const stop = drawInSight(canvas, draw);
    return () => {
      stop();
      removeEventListener("beforeprint", draw);
      resized.disconnect();
    };
  }, [painting, height_px]);
  return (
    <canvas
      ref={place}
      className={styles.canvas}
      style={{ height: `${height_px / 16}rem` }}
      {...rest}
    />
  );
}
