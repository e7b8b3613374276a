// Takes laid over each other in Chromium: chosen, drawn, in a table, saved.
// SPDX-License-Identifier: Apache-2.0
import "../../../design/tokens.css";
import "../../../design/base.css";
import { afterEach, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { PlausibleDemo } from "../../../../demo-charts/plausibleDemo";
import type { DemoDetails } from "../../../api/generated";
import { type Rendered, rendered } from "../../../design/rendered";
import { ReplayFeed } from "../../feed/replay";
import { TakesCompared } from "./TakesCompared";

const LENGTH_MS = 10_000;
const TAKES = [1, 2, 3, 4, 5];

const demo = {
  summary: { title: "Thin streams" },
  takes: TAKES.map((number) => ({
    number,
    began_at_ms: (number - 1) * LENGTH_MS,
    ready_at_ms: (number - 1) * LENGTH_MS,
    letters: "AB",
    settings: { lanes: [{}, {}] },
    words: {
      path: "each way 65 ms, 2 % lost",
      path_in_full: "each way delay 65 ms, loss 2 %",
      stream: "the clip “speech”",
      senders: ["No mechanism", "Bundling"],
    },
  })),
} as unknown as DemoDetails;

function feed(): ReplayFeed {
  const replay = new ReplayFeed();
  for (const take of TAKES) {
    const plausible = new PlausibleDemo([false, true], 50);
    for (let at_ms = 100; at_ms < LENGTH_MS; at_ms += 100) {
      replay.append(plausible.until(at_ms).map((message) => JSON.stringify({ ...message, take })));
    }
  }
  return replay;
}

let shown: Rendered;
let place: HTMLElement;

afterEach(() => shown.close());

const until = <Found,>(look: () => Found) => vi.waitUntil(look, { timeout: 30_000 });
const headings = () =>
  [...place.querySelectorAll("thead th")].slice(1).map((cell) => cell.firstChild?.textContent);
const boxes = () => [...place.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];

test("up to four takes are laid over each other, with a legend and a table", async () => {
  shown = rendered(<TakesCompared feed={feed()} demo={demo} base="/nowhere" whole />);
  place = shown.place;
  await userEvent.click(await until(() => place.querySelector("summary")));
  await until(() => headings().length > 0);
  expect(headings()).toEqual([
    "Take 4, lane A",
    "Take 4, lane B",
    "Take 5, lane A",
    "Take 5, lane B",
  ]);
  for (const number of [0, 1]) await userEvent.click(boxes()[number] as HTMLElement);
  await until(() => headings().length === 8);
  // Dashes tell four takes apart, and no more.
  expect(boxes().map(({ disabled }) => disabled)).toEqual([false, false, true, false, false]);
  const legends = [...place.querySelectorAll("[data-testid=legend]")].map(
    (one) => one.children.length,
  );
  expect(legends).toEqual([8, 8]);
  expect(place.textContent).toContain("Take 2, lane B: Bundling");
  for (const canvas of place.querySelectorAll("canvas")) {
    canvas.scrollIntoView();
    await until(() => colours(canvas) > 3);
  }
  for (const box of boxes()) if (box.checked) await userEvent.click(box);
  expect(place.textContent).toContain("Choose a take.");
});

/** How many colours a picture has, about. */
function colours(canvas: HTMLCanvasElement): number {
  const context = canvas.getContext("2d");
  const { data } = context?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
  const found = new Set<number>();
  for (let at = 0; at < data.length; at += 4) {
    found.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
  }
  return found.size;
}
