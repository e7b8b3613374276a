// A line as its chart draws it, for the legend.
// SPDX-License-Identifier: Apache-2.0
import legend from "./legend.module.css";

interface StrokeProps {
  /** A custom property of the design, such as `--series-1`. */
  readonly token: string;
  /** Lengths of dashes and gaps; none: a whole line. */
  readonly dash: readonly number[];
}

export const Stroke = ({ token, dash }: StrokeProps) => (
  <svg className={legend.stroke} viewBox="0 0 32 6" aria-hidden="true">
    <line
      x1="0"
      x2="32"
      y1="3"
      y2="3"
      style={{ stroke: `var(${token})` }}
      strokeDasharray={dash.join(" ")}
    />
  </svg>
);
