// The colours and letters that the page's style has for drawing on canvas.
// SPDX-License-Identifier: Apache-2.0
import "./colours.css";

const COLOURS = {
  paper: "--paper",
  card: "--card",
  ink: "--ink",
  inkSoft: "--ink-soft",
  line: "--line",
  edge: "--edge",
  accent: "--accent",
  packetNew: "--packet-new",
  packetBundle: "--packet-bundle",
  packetFast: "--packet-fast",
  packetTimeout: "--packet-timeout",
  packetAcknowledgement: "--packet-acknowledgement",
  packetDuplicate: "--packet-duplicate",
  packetSelective: "--packet-selective",
  packetLost: "--packet-lost",
  soundConcealed: "--sound-concealed",
  soundSilent: "--sound-silent",
  soundStretched: "--sound-stretched",
  soundCompressed: "--sound-compressed",
  soundDropped: "--sound-dropped",
  soundDamaged: "--sound-damaged",
} as const;

export type ColourName = keyof typeof COLOURS;

export interface Palette extends Readonly<Record<ColourName, string>> {
  /** By lane. */
  readonly lanes: readonly string[];
  readonly font: string;
}

export function readPalette(): Palette {
  const style = getComputedStyle(document.documentElement);
  return paletteOf((name) => style.getPropertyValue(name).trim());
}

/** By name instead of value: for what is part of the page, and changes its colours with it. */
export const VARIABLES: Palette = paletteOf((name) => `var(${name})`);

function paletteOf(value: (variable: string) => string): Palette {
  const colours = Object.fromEntries(
    Object.entries(COLOURS).map(([name, variable]) => [name, value(variable)]),
  ) as Record<ColourName, string>;
  return {
    ...colours,
    lanes: [1, 2, 3, 4].map((lane) => value(`--lane-${lane}`)),
    font: `12px ${value("--sans")}`,
  };
}

let current: Palette | null = null;

/** The palette of the scheme that the page has now. */
export function palette(): Palette {
  if (!current) {
    current = readPalette();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      current = readPalette();
    });
  }
  return current;
}
