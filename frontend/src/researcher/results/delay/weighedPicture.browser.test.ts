// Two metrics weighed against each other as a picture: it can be read without the page.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { pngOf, svgOf } from "../../../charts/pictureFiles";
import { MADE_UP_WEIGHED } from "./madeUpWeighed";
import { weighedPicture } from "./weighedPicture";
import { weighedNote, weighedTitle } from "./weighedWords";

const pictureOf = (found: typeof MADE_UP_WEIGHED) =>
  weighedPicture({
    title: weighedTitle("late <or> damaged", found),
    note: weighedNote(found, 0.95),
    found,
  });

function parsed(found: typeof MADE_UP_WEIGHED) {
  const svg = new DOMParser().parseFromString(svgOf(pictureOf(found)), "image/svg+xml");
  expect(svg.querySelector("parsererror")).toBeNull();
  return svg;
}

test("its words are those of the page", () => {
  const words = [...parsed(MADE_UP_WEIGHED).querySelectorAll("text")].map(
    ({ textContent }) => textContent,
  );
  for (const told of [
    "“Later than usual” against “Damaged sound” · late <or> damaged",
    "Difference in “Later than usual”, b − a, in ms",
    "Difference in “Damaged sound”, b − a, in ms",
    "+80",
    "More votes for a",
    "More votes for b",
    "As many for each",
    "Equal preference",
    weighedNote(MADE_UP_WEIGHED, 0.95),
  ]) {
    expect(words).toContain(told);
  }
});

test("its line and band stay within the axes, and are left out where the votes set none", () => {
  expect(parsed(MADE_UP_WEIGHED).querySelectorAll("[clip-path]")).toHaveLength(2);
  const none = parsed({ ...MADE_UP_WEIGHED, worth: null });
  expect(none.querySelectorAll("[clip-path]")).toHaveLength(0);
  expect(none.documentElement.textContent).not.toContain("Equal preference");
});

test("it is a picture twice as sharp as the page", async () => {
  const picture = pictureOf(MADE_UP_WEIGHED);
  const png = await createImageBitmap(await pngOf(picture));
  expect(png.width).toBe(2 * picture.width);
  expect(png.height).toBe(2 * picture.height);
});
