// Colours are told apart by the colour-blind too. Each colour of a set is seen as
// by somebody without red, green or any colour receptors, by the matrices of
// Machado, Oliveira and Fernandes (2009) at full severity, and compared in OKLab.
// Shapes and dashes tell the same; this holds that colours help as well.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

type Rgb = readonly [number, number, number];

const VISIONS: Readonly<Record<string, readonly Rgb[]>> = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
};

/** Two colours nearer than this would be one at a glance: twice OKLab's just noticeable
 * difference of 0.02, for thin lines. */
const APART = 0.04;
/** WCAG 1.4.11: graphics against their ground. */
const CONTRAST = 3;

const css = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

/** The variables of the light and of the dark scheme. */
function schemes(): Record<string, Record<string, string>> {
  const found: Record<string, Record<string, string>> = { light: {}, dark: {} };
  for (const text of [css("../../design/tokens.css"), css("./colours.css")]) {
    const [light = "", dark = ""] = text.split("@media (prefers-color-scheme: dark)");
    for (const [scheme, part] of [
      ["light", light],
      ["dark", dark],
    ] as const) {
      for (const [, name = "", value = ""] of part.matchAll(/(--[\w-]+): (#[0-9a-f]{6});/g)) {
        const own = found[scheme];
        if (own) own[name] = value;
      }
    }
  }
  return found;
}

const linear = (hex: string): Rgb => {
  const channel = (from: number) => {
    const value = Number.parseInt(hex.slice(from, from + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
};

const times = (matrix: readonly Rgb[], [r, g, b]: Rgb): Rgb => {
  const [x = 0, y = 0, z = 0] = matrix.map((row) =>
    Math.min(1, Math.max(0, row[0] * r + row[1] * g + row[2] * b)),
  );
  return [x, y, z];
};

function oklab([r, g, b]: Rgb): Rgb {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

const luminance = ([r, g, b]: Rgb) => 0.2126 * r + 0.7152 * g + 0.0722 * b;

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(linear(one)), luminance(linear(other))].sort(
    (a, b) => b - a,
  );
  return (high + 0.05) / (low + 0.05);
}

const SETS: Readonly<Record<string, readonly string[]>> = {
  lanes: ["--lane-1", "--lane-2", "--lane-3", "--lane-4"],
  packets: [
    "--packet-new",
    "--packet-bundle",
    "--packet-fast",
    "--packet-timeout",
    "--packet-acknowledgement",
    "--packet-duplicate",
    "--packet-selective",
  ],
  gaps: ["--sound-concealed", "--sound-silent", "--sound-stretched", "--sound-damaged"],
};

const cases = Object.entries(schemes()).flatMap(([scheme, colours]) =>
  Object.entries(SETS).flatMap(([set, names]) =>
    Object.keys(VISIONS).map((vision) => ({ scheme, set, vision, names, colours })),
  ),
);

test.each(cases)("$set in the $scheme scheme stay apart: $vision", ({ vision, names, colours }) => {
  const seen = names.map((name) => {
    const hex = colours[name];
    if (!hex) throw new Error(`${name} has no colour`);
    return { name, lab: oklab(times(VISIONS[vision] ?? [], linear(hex))) };
  });
  for (const [index, one] of seen.entries()) {
    for (const other of seen.slice(index + 1)) {
      const distance = Math.hypot(...one.lab.map((value, axis) => value - (other.lab[axis] ?? 0)));
      expect(distance, `${one.name} and ${other.name}`).toBeGreaterThan(APART);
    }
  }
});

test.each(Object.entries(schemes()))(
  "colours stand off the paper of the %s scheme",
  (_, colours) => {
    for (const name of Object.values(SETS).flat()) {
      expect(contrast(colours[name] ?? "", colours["--paper"] ?? ""), name).toBeGreaterThan(
        CONTRAST,
      );
    }
  },
);
