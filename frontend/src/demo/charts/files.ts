// A chart as a file: PNG or SVG, drawn anew by the code that draws it on the page.
// SPDX-License-Identifier: Apache-2.0
import type { Painting } from "./painting";
import type { Palette } from "./palette";
import type { Size } from "./pen";
import { SvgPen } from "./svgPen";

/** Sharp on paper too. */
const PNG_SCALE = 2;

export function svgOf(painting: Painting, title: string, size: Size, palette: Palette): string {
  const measured = document.createElement("canvas").getContext("2d");
  const svg = new SvgPen(size, (text, font) => {
    if (!measured) return text.length * 7;
    measured.font = font;
    return measured.measureText(text).width;
  });
  painting.draw(svg.pen, size, palette);
  return svg.document(title);
}

export async function pngOf(painting: Painting, size: Size, palette: Palette): Promise<Blob> {
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(size.width * PNG_SCALE);
  canvas.height = Math.round(size.height * PNG_SCALE);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser gives no canvas to draw on.");
  context.scale(PNG_SCALE, PNG_SCALE);
  painting.draw(context, size, palette);
  return new Promise((give, refuse) => {
    canvas.toBlob((blob) => (blob ? give(blob) : refuse(new Error("No picture was made."))));
  });
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
