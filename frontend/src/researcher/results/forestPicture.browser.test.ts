// A forest plot as a picture: all that the page shows of it can be read without the page.
// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { pngOf, svgOf } from "../../charts/pictureFiles";
import { forestPicture } from "./forestPicture";
import { madeUpEstimate } from "./madeUpEstimate";
import { SHARES } from "./scale";

const estimate = madeUpEstimate({ value: 0.62, low: 0.51, high: 0.73, null_value: 0.5 });

const picture = forestPicture({
  title: "modified against plain",
  scale: SHARES,
  rows: [
    { label: "All trials", detail: "over 2 trials", estimate },
    { label: "song", detail: "<song> & 9 people", estimate: { ...estimate, too_few: true } },
  ],
  ends: ["plain better", "modified better"],
});

test("its words are those of the page", () => {
  const parsed = new DOMParser().parseFromString(svgOf(picture), "image/svg+xml");
  expect(parsed.querySelector("parsererror")).toBeNull();
  const words = [...parsed.querySelectorAll("text")].map(({ textContent }) => textContent);
  for (const told of [
    "modified against plain",
    "All trials",
    "<song> & 9 people",
    "62 %",
    "51 % to 73 %",
    "too few votes",
    "← plain better",
    "modified better →",
  ]) {
    expect(words).toContain(told);
  }
});

test("it is a picture twice as sharp as the page", async () => {
  const png = await createImageBitmap(await pngOf(picture));
  expect(png.width).toBe(2 * picture.width);
  expect(png.height).toBe(2 * picture.height);
});
