// What a plot is taken away by: copied, or saved as PNG or SVG.
// SPDX-License-Identifier: Apache-2.0

import { useState } from "react";
import { type Picture, pngOf, save, svgOf } from "../../charts/pictureFiles";
import { Button } from "../../design/Button";
import look from "../../design/look.module.css";
import { Row } from "../../design/Row";

interface PictureFilesProps {
  readonly title: string;
  /** Drawn when it is asked for. */
  readonly picture: () => Picture;
}

const named = (title: string, ending: string): string =>
  `${title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "-")}.${ending}`;

export function PictureFiles({ title, picture }: PictureFilesProps) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      const item = new ClipboardItem({ "image/png": pngOf(picture()) });
      await navigator.clipboard.write([item]);
      setSaid("Copied.");
    } catch {
      setSaid("Copying is not allowed here; please save the picture.");
    }
  };
  return (
    <Row>
      <Button quiet slim aria-label={`Copy plot: ${title}`} onClick={() => void copy()}>
        Copy plot
      </Button>
      <Button
        quiet
        slim
        aria-label={`Save PNG: ${title}`}
        onClick={async () => save(await pngOf(picture()), named(title, "png"))}
      >
        Save PNG
      </Button>
      <Button
        quiet
        slim
        aria-label={`Save SVG: ${title}`}
        onClick={() => {
          const svg = new Blob([svgOf(picture())], { type: "image/svg+xml" });
          save(svg, named(title, "svg"));
        }}
      >
        Save SVG
      </Button>
      <span role="status" className={look.note}>
        {said}
      </span>
    </Row>
  );
}
