// A link as a QR code.
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "react";

/** A QR code, drawn here: nobody else is told the link. */
export function Pattern({ text, alt }: { readonly text: string; readonly alt: string }) {
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
    <img className="pattern" alt={alt} src={`data:image/svg+xml,${encodeURIComponent(svg)}`} />
  );
}
