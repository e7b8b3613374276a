// A chart as a picture that leaves the page, with all that is needed to read it.
// SPDX-License-Identifier: Apache-2.0
import { measuring, type Picture } from "../../charts/pictureFiles";
import type { Palette } from "./palette";
import { laidOut, type Plate } from "./plate";

export function pictureOf(plate: Plate, palette: Palette): Picture {
  const { width, height, draw } = laidOut(plate, palette, measuring());
  return { title: plate.title, width, height, draw };
}
