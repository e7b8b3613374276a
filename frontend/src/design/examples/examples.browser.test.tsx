// The page of examples in Chromium, at a desk's and a telephone's width and in both colour schemes:
// every component is on it, looks as the files in looks/ say, and can be read and reached by all.
// SPDX-License-Identifier: Apache-2.0
import "../tokens.css";
import "../base.css";
import axe from "axe-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cdp, commands, page, userEvent } from "vitest/browser";
import { type Rendered, rendered } from "../rendered";
import { EXAMPLES, Examples } from "./Examples";
import { COLOURS, MOTIONS, SPACES, TEXTS } from "./tokens";

type Scheme = "light" | "dark";
const SCHEMES = ["light", "dark"] as const;
const WIDTHS_PX = [1280, 390] as const;
const EVERY = SCHEMES.flatMap((scheme) => WIDTHS_PX.map((width_px) => ({ scheme, width_px })));
/** A machine that has other work draws late. */
const PATIENCE = { timeout: 30_000 };
/** WCAG 2.2 AA and what axe recommends, as on the pages themselves. */
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What the design decides about an element. No sizes: those follow from the machine's fonts. */
const OWN = ["background-color", "border-bottom", "border-radius", "padding", "gap", "min-height"];
const INHERITED = ["color", "font-size", "font-weight", "line-height", "letter-spacing"];
const NOTHING = /^$|^0px|none|^auto|^normal|^rgba\(0, 0, 0, 0\)/;

let shown: Rendered;

async function emulate(features: Readonly<Record<string, string>>): Promise<void> {
  await cdp().send("Emulation.setEmulatedMedia", {
    features: Object.entries({ "prefers-reduced-motion": "reduce", ...features }).map(
      ([name, value]) => ({ name, value }),
    ),
  });
}

async function opened(scheme: Scheme, width_px: number): Promise<void> {
  await page.viewport(width_px, 900);
  await emulate({ "prefers-color-scheme": scheme });
  shown = rendered(<Examples />);
  // Drawn by a library that is loaded then.
  await expect.poll(() => document.querySelector("img")?.complete, PATIENCE).toBe(true);
}

beforeEach(() => {
  document.documentElement.lang = "en";
});

afterEach(async () => {
  await cdp().send("Emulation.setEmulatedMedia", { features: [] });
  shown.close();
});

const example = (name: string) => page.getByTestId(name).element() as HTMLElement;
const styleOf = (element: Element) => getComputedStyle(element);

/** An element's name, with the attributes that its style follows. */
function nameOf(element: Element): string {
  const states = [
    element.matches(":checked") && ":checked",
    element.matches(":disabled") && ":disabled",
    element.matches("[aria-pressed=true]") && "[pressed]",
    element.matches("[aria-invalid=true]") && "[invalid]",
    element instanceof HTMLInputElement && `[${element.type}]`,
  ];
  return [element.localName, ...states.filter(Boolean)].join("");
}

/** What an element has that its parent does not hand on to it. */
function lookOf(element: Element): string {
  const own = styleOf(element);
  const parent = styleOf(element.parentElement as Element);
  const value = (property: string) => own.getPropertyValue(property);
  const owned = OWN.filter((property) => !NOTHING.test(value(property)));
  const changed = INHERITED.filter(
    (property) => value(property) !== parent.getPropertyValue(property),
  );
  return [...owned, ...changed].map((property) => `${property}: ${value(property)}`).join("; ");
}

function looks(): string {
  const tokens = [...example("tokens").querySelectorAll("li, p")].map(
    (one) => `${one.textContent}: ${tokenValue(one)}`,
  );
  const lines = Object.keys(EXAMPLES)
    .filter((name) => name !== "tokens")
    .flatMap((name) => [
      `\n# ${name}`,
      ...[...example(name).querySelectorAll("*")]
        .map((element) => ({ name: nameOf(element), look: lookOf(element) }))
        .filter(({ look }) => look)
        .map(({ name, look }) => `${name} { ${look} }`),
    ]);
  return `${[...tokens, ...lines].join("\n")}\n`;
}

/** Of the token that an example is of. */
function tokenValue(shown: Element): string {
  const { fontSize } = styleOf(shown);
  const swatch = shown.querySelector("span");
  if (!swatch) return fontSize;
  const { backgroundColor, width } = styleOf(swatch);
  if (swatch.style.transition) return styleOf(swatch).transitionDuration;
  return swatch.style.background ? backgroundColor : width;
}

/** Sticking out of the window, unless it scrolls by itself. */
const overhang_px = () =>
  document.documentElement.scrollWidth - document.documentElement.clientWidth;

interface Part {
  /** On average, 0…1. */
  readonly light: number;
  /** Of one colour throughout. */
  readonly flat: boolean;
}

/** A picture of the whole page, kept to look at, and what is seen in its parts. */
async function picture(path: string): Promise<(element: Element) => Part> {
  await page.viewport(innerWidth, document.documentElement.scrollHeight);
  // Vitest shows a page that is larger than its own window smaller: here in its true size.
  const { x, y, width, height } = (frameElement as Element).getBoundingClientRect();
  const clip = { x, y, width, height, scale: innerWidth / width };
  const { data } = await cdp().send("Page.captureScreenshot", { clip });
  await commands.writeFile(path, data, "base64");
  const image = new Image();
  image.src = `data:image/png;base64,${data}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  if (!pen) throw new Error("This browser has no canvas.");
  pen.drawImage(image, 0, 0);
  return (element) => {
    const at = element.getBoundingClientRect();
    const { data } = pen.getImageData(at.left, at.top, Math.floor(at.width), Math.floor(at.height));
    const greys = Array.from(
      { length: data.length / 4 },
      (_, pixel) =>
        ((data[4 * pixel] ?? 0) + (data[4 * pixel + 1] ?? 0) + (data[4 * pixel + 2] ?? 0)) / 765,
    );
    const light = greys.reduce((sum, grey) => sum + grey, 0) / greys.length;
    return { light, flat: greys.every((grey) => grey === greys[0]) };
  };
}

test("every component and every token has an example", async () => {
  await opened("light", 1280);
  const components = Object.keys(import.meta.glob("../*.tsx")).map((path) =>
    path.replace("../", "").replace(".tsx", ""),
  );
  // The page itself is one.
  const shown = [...Object.keys(EXAMPLES), "Sheet"];
  expect(components.filter((name) => !shown.includes(name))).toEqual([]);
  expect([...document.querySelectorAll("main [data-testid]")]).toHaveLength(shown.length - 1);
  for (const names of [COLOURS, SPACES, TEXTS, MOTIONS]) expect(names).not.toEqual([]);
  // A name that no rule knows would give the width of nothing.
  const widths = [...example("tokens").querySelectorAll("ul:nth-of-type(2) span")].map(
    (one) => styleOf(one).width,
  );
  expect(new Set(widths).size).toBe(SPACES.length);
});

describe.each(EVERY)("$scheme, $width_px px", ({ scheme, width_px }) => {
  beforeEach(() => opened(scheme, width_px));

  test("looks as it did", async () => {
    await expect(looks()).toMatchFileSnapshot(`looks/${scheme}-${width_px}.txt`);
  });

  test("nothing sticks out, all is readable and has a name", async () => {
    expect(overhang_px()).toBeLessThanOrEqual(0);
    const { violations } = await axe.run(document.querySelector("main") as HTMLElement, {
      runOnly: RULES,
    });
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`);
    expect(found).toEqual([]);
  });

  test("is drawn, and dark only where that was asked for", async () => {
    const partOf = await picture(`test-results/examples/${scheme}-${width_px}.png`);
    const { light } = partOf(document.body);
    if (scheme === "dark") expect(light).toBeLessThan(0.3);
    else expect(light).toBeGreaterThan(0.8);
    for (const name of Object.keys(EXAMPLES)) {
      expect(partOf(example(name)).flat, name).toBe(false);
    }
  });
});

describe("what is done to it", () => {
  beforeEach(() => opened("light", 1280));
  const ground = (element: Element) => styleOf(element).backgroundColor;

  test("a button tells that it is pointed at, and what has the focus by keys is outlined", async () => {
    const button = page.getByTestId("Button").getByRole("button", { name: "Cancel" }).first();
    const before = ground(button.element());
    await userEvent.hover(button);
    expect(ground(button.element())).not.toBe(before);
    await userEvent.keyboard("{Tab}");
    const { outlineWidth, outlineStyle } = styleOf(document.activeElement as Element);
    expect([outlineWidth, outlineStyle]).toEqual(["3px", "solid"]);
  });

  test("a toggle, a chip and a segment tell that they are on", async () => {
    const toggle = page.getByRole("checkbox", { name: "Linear timeouts" });
    const off = ground(toggle.element());
    await userEvent.click(toggle);
    expect(ground(toggle.element())).not.toBe(off);
    const chip = page.getByRole("button", { name: "200 ms" });
    const loose = ground(chip.element());
    await userEvent.click(chip);
    await userEvent.unhover(chip);
    expect(ground(chip.element())).not.toBe(loose);
    const segment = page.getByTestId("Segments").getByText("Table").element();
    const idle = ground(segment);
    (segment as HTMLElement).click();
    await expect.poll(() => ground(segment), PATIENCE).not.toBe(idle);
  });

  test("a dialog takes the focus, and Escape gives it back", async () => {
    const opener = page.getByTestId("Dialog").getByRole("button");
    await userEvent.click(opener);
    const dialog = page.getByRole("dialog").element();
    expect(dialog.matches(":modal")).toBe(true);
    expect(dialog.contains(document.activeElement)).toBe(true);
    await userEvent.keyboard("{Escape}");
    await expect.poll(() => document.activeElement, PATIENCE).toBe(opener.element());
    expect(page.getByRole("dialog").query()).toBeNull();
  });

  test("nothing moves for whoever asked for that", async () => {
    const moving = () => styleOf(example("Button").querySelector("button") as Element);
    expect(moving().transitionDuration).toBe("0s");
    await emulate({ "prefers-reduced-motion": "no-preference" });
    expect(moving().transitionDuration).not.toBe("0s");
  });

  test("what is on can be seen where the reader's colours replace ours", async () => {
    await emulate({ "forced-colors": "active" });
    const [on, off] = [...example("Toggle").querySelectorAll("input")].map(ground);
    expect(on).not.toBe(off);
    const chips = [...example("Chip").querySelectorAll("button")];
    expect(new Set(chips.map(ground)).size).toBe(2);
    const [segment, other] = [...example("Segments").querySelectorAll("span")].map(ground);
    expect(segment).not.toBe(other);
    const track = example("Progress").querySelector("[role=progressbar]") as Element;
    expect(ground(track)).not.toBe(ground(track.firstElementChild as Element));
  });
});
