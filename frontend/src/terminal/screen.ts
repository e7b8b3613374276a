// The glass: 80 × 24 characters in a place of any width, written to by the
// server alone. It says when what was written could be seen.
// SPDX-License-Identifier: Apache-2.0
import "@xterm/xterm/css/xterm.css";
import { Terminal } from "@xterm/xterm";
import { pageClock_us } from "./clock";
import { disarm } from "./hostile";
import { Elements } from "./styles";

export const COLUMNS = 80;
export const ROWS = 24;

const LARGEST_FONT_PX = 17;
const SMALLEST_FONT_PX = 5;
const LINE_HEIGHT = 1.15;
/** Of a font's size; fonts for terminals differ little in it. */
const GLYPH_HEIGHT = 1.17;
/** What the terminal takes of the window's height at most, so that what is around it is seen. */
const MOST_OF_WINDOW = 0.62;
const FONT = 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", monospace';
/** To measure with, large enough that rounding does not matter. */
const PROBE_PX = 100;

/** Dark in both colour schemes, as terminals are; each colour readable on the ground. */
const THEME = {
  background: "#12181b",
  foreground: "#e9eded",
  cursor: "#82c6d4",
  cursorAccent: "#12181b",
  selectionBackground: "#2f5660",
  black: "#12181b",
  red: "#f2a29c",
  green: "#84cfa8",
  yellow: "#f0cb74",
  blue: "#8fb8f0",
  magenta: "#d9a6e8",
  cyan: "#82c6d4",
  white: "#d5dbdc",
  brightBlack: "#8b989e",
  brightRed: "#f7bdb8",
  brightGreen: "#a8e0c2",
  brightYellow: "#f7dd9c",
  brightBlue: "#b3cff6",
  brightMagenta: "#e6c4f0",
  brightCyan: "#a3d8e3",
  brightWhite: "#ffffff",
} as const;

/** How large characters may be for all of them to fit; `perPixel` is one's width at 1 px. */
export function fontSize_px(width_px: number, perPixel: number, window_px: number): number {
  const wide = width_px / (COLUMNS * perPixel);
  const high = (MOST_OF_WINDOW * window_px) / (ROWS * LINE_HEIGHT * GLYPH_HEIGHT);
  const fitting = Math.floor(10 * Math.min(wide, high)) / 10;
  return Math.min(LARGEST_FONT_PX, Math.max(SMALLEST_FONT_PX, fitting));
}

/** A character's width at a size of 1 px. */
function characterWidth(): number {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return 0.6;
  context.font = `${PROBE_PX}px ${FONT}`;
  return context.measureText("W").width / PROBE_PX;
}

/** Told when what was written stands in the page: the frame's instant, by the page's clock. */
export type Painted = (at_us: number) => void;

export class Screen {
  readonly terminal: Terminal;
  readonly #place: HTMLElement;
  readonly #elements = new Elements();
  readonly #resizing: ResizeObserver;
  readonly #paintings: Painted[] = [];
  readonly #frame = new MessageChannel();
  #presented: Painted[] = [];

  /** `label` is what a screen reader calls the place where one types. */
  constructor(place: HTMLElement, label: string) {
    this.#place = place;
    this.terminal = new Terminal({
      cols: COLUMNS,
      rows: ROWS,
      fontFamily: FONT,
      fontSize: this.#fitting_px(),
      lineHeight: LINE_HEIGHT,
      theme: THEME,
      scrollback: 0,
      cursorBlink: false,
      altClickMovesCursor: false,
      rightClickSelectsWord: false,
      smoothScrollDuration: 0,
      // Its live region would have every echo wait for it; the page says where the reader is.
      screenReaderMode: false,
      documentOverride: this.#elements.document,
      linkHandler: { activate: () => {}, allowNonHttpProtocols: false },
    });
    disarm(this.terminal);
    this.terminal.attachCustomWheelEventHandler(() => false);
    this.#elements.during(() => this.terminal.open(place));
    this.terminal.textarea?.setAttribute("aria-label", label);
    this.#frame.port1.onmessage = () => {
      // One instant for all that this frame shows: each is looked at in turn, which takes a while.
      const at_us = pageClock_us();
      for (const painted of this.#presented.splice(0)) painted(at_us);
    };
    this.#resizing = new ResizeObserver(() => requestAnimationFrame(this.#fit));
    this.#resizing.observe(place);
    addEventListener("resize", this.#fit);
  }

  /** Writes, and tells when a frame with it has been handed to the display. Nothing
   * is painted while the page is hidden: it is told when the page is seen again. */
  write(data: string, painted: Painted): void {
    this.terminal.write(data, () => {
      if (this.#paintings.push(painted) > 1) return;
      // xterm has asked for the same frame while it was parsing, so it draws before this.
      requestAnimationFrame(() => {
        this.#presented.push(...this.#paintings.splice(0));
        // A task of its own runs when the frame that is being made has been made.
        this.#frame.port2.postMessage(null);
      });
    });
  }

  /** What can be read now, line by line, without the blanks at each line's end. */
  rows(): string[] {
    const { active } = this.terminal.buffer;
    return Array.from(
      { length: ROWS },
      (_, row) => active.getLine(active.viewportY + row)?.translateToString(true) ?? "",
    );
  }

  /** Where one is to type now: seen as a whole, as far as the window allows. */
  enter(): void {
    this.#place.scrollIntoView({ block: "nearest" });
    this.focus();
  }

  focus(): void {
    this.terminal.focus();
  }

  dispose(): void {
    this.#resizing.disconnect();
    removeEventListener("resize", this.#fit);
    this.#frame.port1.close();
    this.terminal.dispose();
    this.#elements.dispose();
  }

  #fitting_px(): number {
    return fontSize_px(this.#place.clientWidth, characterWidth(), window.innerHeight);
  }

  readonly #fit = () => {
    if (!this.#place.isConnected) return;
    const size_px = this.#fitting_px();
    if (size_px !== this.terminal.options.fontSize) this.terminal.options.fontSize = size_px;
  };
}
