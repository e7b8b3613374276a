// A pen that writes SVG instead of pixels, with as much of a canvas context as
// the charts use. Own, as the library for it asks the page for fonts by a style
// attribute, which the content security policy forbids.
// SPDX-License-Identifier: Apache-2.0
import type { Pen, Size } from "./pen";

interface State {
  strokeStyle: string;
  fillStyle: string;
  lineWidth: number;
  lineJoin: CanvasLineJoin;
  lineCap: CanvasLineCap;
  font: string;
  textAlign: CanvasTextAlign;
  textBaseline: CanvasTextBaseline;
  globalAlpha: number;
  dash: readonly number[];
  x: number;
  y: number;
  clip: string | null;
}

/** An element of what was drawn, by the names that SVG has for things. */
export interface SvgPart {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string;
  readonly inside?: SvgPart;
}

const ANCHORS: Readonly<Partial<Record<CanvasTextAlign, string>>> = {
  center: "middle",
  right: "end",
  end: "end",
};

/** How wide a text is, in CSS pixels. */
export type Measure = (text: string, font: string) => number;

export class SvgPen {
  strokeStyle = "#000";
  fillStyle = "#000";
  lineWidth = 1;
  lineJoin: CanvasLineJoin = "miter";
  lineCap: CanvasLineCap = "butt";
  font = "10px sans-serif";
  textAlign: CanvasTextAlign = "start";
  textBaseline: CanvasTextBaseline = "alphabetic";
  globalAlpha = 1;
  #dash: readonly number[] = [];
  #x = 0;
  #y = 0;
  #path: string[] = [];
  #clip: string | null = null;
  #clips = 0;
  #saved: State[] = [];
  /** What was drawn so far. */
  readonly parts: SvgPart[] = [];
  readonly #size: Size;
  readonly #measure: Measure;

  constructor(size: Size, measure: Measure) {
    this.#size = size;
    this.#measure = measure;
  }

  /** As what the charts draw with; the rest of a context they do not touch. */
  get pen(): Pen {
    return this as unknown as Pen;
  }

  /** The path that is open, as an SVG path's data. */
  get path(): string {
    return this.#path.join("");
  }

  /** The whole document. */
  document(title: string): string {
    const { width, height } = this.#size;
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
      `<title>${escaped(title)}</title>`,
      ...this.parts.map(markup),
      "</svg>",
      "",
    ].join("\n");
  }

  save(): void {
    const { strokeStyle, fillStyle, lineWidth, lineJoin, lineCap } = this;
    const { font, textAlign, textBaseline, globalAlpha } = this;
    this.#saved.push({
      ...{ strokeStyle, fillStyle, lineWidth, lineJoin, lineCap },
      ...{ font, textAlign, textBaseline, globalAlpha },
      ...{ dash: this.#dash, x: this.#x, y: this.#y, clip: this.#clip },
    });
  }

  restore(): void {
    const state = this.#saved.pop();
    if (!state) return;
    const { dash, x, y, clip, ...own } = state;
    Object.assign(this, own);
    this.#clip = clip;
    this.#dash = dash;
    this.#x = x;
    this.#y = y;
  }

  translate(x: number, y: number): void {
    this.#x += x;
    this.#y += y;
  }

  setLineDash(dash: readonly number[]): void {
    this.#dash = dash;
  }

  beginPath(): void {
    this.#path = [];
  }

  closePath(): void {
    this.#path.push("Z");
  }

  moveTo(x: number, y: number): void {
    this.#path.push(`M${this.#at(x, y)}`);
  }

  lineTo(x: number, y: number): void {
    this.#path.push(`L${this.#at(x, y)}`);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.#path.push(`h${short(width)}v${short(height)}h${short(-width)}Z`);
  }

  /** Full circles only: the charts have no others. */
  arc(x: number, y: number, radius: number, from: number, to: number): void {
    if (Math.abs(to - from - 2 * Math.PI) > 1e-9) throw new Error("Only full circles are drawn.");
    const r = short(radius);
    const wide = short(2 * radius);
    this.#path.push(
      `M${this.#at(x + radius, y)}a${r} ${r} 0 1 1 -${wide} 0a${r} ${r} 0 1 1 ${wide} 0Z`,
    );
  }

  /** To the path that is open; not within another one: no chart does that. */
  clip(): void {
    if (this.#clip) throw new Error("What is cut off already is not cut off again.");
    this.#clips += 1;
    const id = `clip-${this.#clips}`;
    const inside = { name: "path", attributes: { d: this.path } };
    this.parts.push({ name: "clipPath", attributes: { id }, inside });
    this.#clip = id;
  }

  stroke(): void {
    if (this.#path.length === 0) return;
    this.#add("path", { d: this.path, fill: "none", ...this.#strokeStyle() });
  }

  fill(): void {
    if (this.#path.length === 0) return;
    this.#add("path", { d: this.path, fill: this.fillStyle });
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.#add("rect", { ...this.#box(x, y, width, height), fill: this.fillStyle });
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    const box = this.#box(x, y, width, height);
    this.#add("rect", { ...box, fill: "none", ...this.#strokeStyle() });
  }

  fillText(text: string, x: number, y: number): void {
    this.#text(text, x, y, { fill: this.fillStyle });
  }

  strokeText(text: string, x: number, y: number): void {
    this.#text(text, x, y, { fill: "none", ...this.#strokeStyle() });
  }

  measureText(text: string): { readonly width: number } {
    return { width: this.#measure(text, this.font) };
  }

  #text(text: string, x: number, y: number, paint: Record<string, string>): void {
    const { weight, size, family } = fontParts(this.font);
    const anchor = ANCHORS[this.textAlign];
    this.#add(
      "text",
      {
        x: short(x + this.#x),
        y: short(y + this.#y),
        "font-family": family,
        "font-size": size,
        ...(weight ? { "font-weight": weight } : {}),
        ...(anchor ? { "text-anchor": anchor } : {}),
        ...paint,
      },
      text,
    );
  }

  #strokeStyle(): Record<string, string> {
    return {
      stroke: this.strokeStyle,
      "stroke-width": short(this.lineWidth),
      ...(this.lineJoin === "miter" ? {} : { "stroke-linejoin": this.lineJoin }),
      ...(this.lineCap === "butt" ? {} : { "stroke-linecap": this.lineCap }),
      ...(this.#dash.length > 0 ? { "stroke-dasharray": this.#dash.join(" ") } : {}),
    };
  }

  #box(x: number, y: number, width: number, height: number): Record<string, string> {
    return {
      x: short(x + this.#x),
      y: short(y + this.#y),
      width: short(Math.max(0, width)),
      height: short(Math.max(0, height)),
    };
  }

  #at(x: number, y: number): string {
    return `${short(x + this.#x)} ${short(y + this.#y)}`;
  }

  #add(name: string, attributes: Record<string, string>, text?: string): void {
    if (this.globalAlpha < 1) attributes.opacity = short(this.globalAlpha);
    if (this.#clip) attributes["clip-path"] = `url(#${this.#clip})`;
    this.parts.push({ name, attributes, ...(text === undefined ? {} : { text }) });
  }
}

function markup({ name, attributes, text, inside }: SvgPart): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`);
  const content = inside ? markup(inside) : text === undefined ? null : escaped(text);
  return `<${name}${written.join("")}${content === null ? "/>" : `>${content}</${name}>`}`;
}

/** A hundredth of a pixel is finer than anything shown. */
const short = (value: number): string => String(Math.round(value * 100) / 100);

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);

/** "600 12px system-ui, sans-serif" in its parts. */
function fontParts(font: string): { weight: string; size: string; family: string } {
  const found = /^(?:(\d+) )?(\S+px) (.+)$/.exec(font);
  return {
    weight: found?.[1] ?? "",
    size: found?.[2] ?? "12px",
    family: found?.[3] ?? "sans-serif",
  };
}
