// The marks of the typing charts: each thing has a shape as well as a colour.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import styles from "./typed.module.css";

export type MarkShape = "circle" | "square" | "triangle" | "diamond" | "cross";

interface MarkProps {
  readonly shape: MarkShape;
  readonly className?: string | undefined;
  readonly x: number;
  readonly y: number;
  readonly size?: number;
}

const PATHS: Readonly<Record<Exclude<MarkShape, "circle">, string>> = {
  square: "M-1-1H1V1H-1Z",
  triangle: "M0-1.2 1.15 1H-1.15Z",
  diamond: "M0-1.35 1.35 0 0 1.35-1.35 0Z",
  cross: "M-1-1 1 1M1-1-1 1",
};

export function Mark({ shape, className, x, y, size = 4 }: MarkProps) {
  if (shape === "circle")
    return <circle className={clsx(styles.mark, className)} cx={x} cy={y} r={size} />;
  return (
    <path
      className={clsx(styles.mark, shape === "cross" && styles.cross, className)}
      d={PATHS[shape]}
      transform={`translate(${x} ${y}) scale(${size})`}
    />
  );
}
