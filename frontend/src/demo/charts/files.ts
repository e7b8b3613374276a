// A chart as a file: PNG or SVG, drawn anew by the code that draws it on the page, with
// all that is needed to read it.
// SPDX-License-Identifier: Apache-2.0
import type { Palette } from "./palette";
import { laidOut, type Plate } from "./plate";
import { type Measure, SvgPen } from "./svgPen";

/** Sharp on paper too. */
const PNG_SCALE = 2;

export function svgOf(plate: Plate, palette: Palette): string {
  const measure = measuring();
  const whole = laidOut(plate, palette, measure);
  const svg = new SvgPen(whole, measure);
  whole.draw(svg.pen);
  return svg.document(plate.title);
}

export async function pngOf(plate: Plate, palette: Palette): Promise<Blob> {
  const whole = laidOut(plate, palette, measuring());
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(whole.width * PNG_SCALE);
  canvas.height = Math.round(whole.height * PNG_SCALE);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser gives no canvas to draw on.");
  context.scale(PNG_SCALE, PNG_SCALE);
  whole.draw(context);
  return new Promise((give, refuse) => {
    canvas.toBlob((blob) => (blob ? give(blob) : refuse(new Error("No picture was made."))));
  });
}

function measuring(): Measure {
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
