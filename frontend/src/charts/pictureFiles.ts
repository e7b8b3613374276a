// A picture as a file: PNG or SVG, drawn anew by the code that draws it.
// SPDX-License-Identifier: Apache-2.0
import type { Pen, Size } from "./pen";
import { type Measure, SvgPen } from "./svgPen";

export interface Picture extends Size {
  readonly title: string;
  readonly draw: (pen: Pen) => void;
}

/** Sharp on paper too. */
const PNG_SCALE = 2;

export function svgOf(picture: Picture): string {
  const svg = new SvgPen(picture, measuring());
  picture.draw(svg.pen);
  return svg.document(picture.title);
}

export async function pngOf(picture: Picture): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * PNG_SCALE);
  canvas.height = Math.round(picture.height * PNG_SCALE);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser gives no canvas to draw on.");
  context.scale(PNG_SCALE, PNG_SCALE);
  picture.draw(context);
  return new Promise((give, refuse) => {
    canvas.toBlob((blob) => (blob ? give(blob) : refuse(new Error("No picture was made."))));
  });
}

export function measuring(): Measure {
  const context = document.createElement("canvas").getContext("2d");
  return (text, font) => {
    if (!context) return text.length * 7;
    context.font = font;
    return context.measureText(text).width;
  };
}

/** Hands a file to whoever sits at the page. */
export function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
