// A link as a QR code.
// SPDX-License-Identifier: Apache-2.0
import { clsx } from "clsx";
import { useEffect, useState } from "react";
import styles from "./Pattern.module.css";

interface PatternProps {
  readonly text: string;
  readonly alt: string;
  readonly className?: string | undefined;
}

/** A QR code, drawn here: nobody else is told the link. */
export function Pattern({ text, alt, className }: PatternProps) {
  const [svg, setSvg] = useState<string | null>(null);
  useEffect(() => {
    let left = false;
    import("uqr").then(
      ({ renderSVG }) => !left && setSvg(renderSVG(text, { border: 2 })),
      () => {
        // The link above does without.
      },
    );
    return () => {
      left = true;
    };
  }, [text]);
  if (!svg) return null;
  return (
    <img
      className={clsx(styles.pattern, className)}
      alt={alt}
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
    />
  );
}
