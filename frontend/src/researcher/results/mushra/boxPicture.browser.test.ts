// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import type { BesideFindings } from "../../../api/generated";
import { svgOf } from "../../../charts/pictureFiles";
import { madeUpEstimate } from "../madeUpEstimate";
import { BESIDE } from "../scale";
import { boxPicture } from "./boxPicture";

const row: BesideFindings = {
  block: "main",
  condition: "plain",
  is_reference: false,
  clip: null,
  participants: 5,
  votes: 20,
  median: 50,
  lower_quartile: 40,
  upper_quartile: 62.5,
  lower_whisker: 30,
  upper_whisker: 80,
  beyond: [1, 1, 99],
  mean: madeUpEstimate({ value: 52 }),
};

test("the picture has the figures of each row, and every score beyond the whiskers once", () => {
  const hidden = { ...row, condition: "clip", is_reference: true };
  const rows = [hidden, row];
  const svg = svgOf(
    boxPicture({ title: "Scores", scale: BESIDE, rows, ends: ["bad", "excellent"] }),
  );
  for (const text of ["clip (hidden reference)", "plain", "all clips · 20 ratings", "40 to 62.5"]) {
    expect(svg).toContain(text);
  }
  expect(svg).toContain("excellent →");
});
