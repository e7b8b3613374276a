// The list of experiments in each of its states.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test, vi } from "vitest";
import { Router } from "wouter";
import { faultsOf } from "../../design/accessible";
import { type Rendered, rendered } from "../../design/rendered";
import { Experiments } from "./Experiments";
import { experiment, run } from "./madeUp";

let shown: Rendered | null = null;

afterEach(() => {
  shown?.close();
  vi.unstubAllGlobals();
});

/** The page over a server that answers so. */
function page(answer: () => Promise<Response>): HTMLElement {
  vi.stubGlobal("fetch", answer);
  shown = rendered(
    <Router base="/researcher">
      <Experiments onSignedOut={() => {}} />
    </Router>,
  );
  return shown.place;
}

const json =
  (body: unknown, status = 200) =>
  async () =>
    Response.json(body, { status });
const says = (place: HTMLElement, text: string | RegExp) =>
  vi.waitFor(() => expect(place.textContent).toMatch(text));

test("it says that it is loading, and that there is nothing", async () => {
  const place = page(() => new Promise(() => {}));
  await says(place, "The experiments are being looked up.");
  shown?.close();
  await says(page(json({ experiments: [], reading: false })), "There is no experiment yet");
});

test("it says why it cannot be shown", async () => {
  const problem = { type: "/problems/x", title: "It is broken.", remedy: "Mend it.", status: 404 };
  const place = page(json(problem, 404));
  await says(place, /It is broken\.Mend it\./);
  shown?.close();
  await says(
    page(async () => {
      throw new TypeError("away");
    }),
    "The server cannot be reached",
  );
});

test("each experiment tells where it stands", async () => {
  const experiments = [
    experiment({ name: "running", title: "Running now", run: run() }),
    experiment(),
    experiment({ name: "never", title: "Never", results: null }),
    experiment({
      name: "broken",
      title: "Broken",
      results: null,
      problem: "broken.yaml:3: runs: missing\nand more",
    }),
    experiment({
      name: "dead",
      title: "Dead",
      results: null,
      run: run({ stage: "stopped", problem: "the lab host died" }),
    }),
  ];
  const place = page(json({ experiments, reading: true }));
  await says(place, "40 of 5000 sessions · about 5 minutes left");
  const bar = place.querySelector("[role=progressbar]");
  expect(bar?.getAttribute("aria-label")).toBe("Sessions of Running now done");
  await says(place, "12 of 12 sessions · 3 of 4 requirements hold");
  await says(place, "4 cells, 12 sessions of 10 virtual minutes.");
  await says(place, "broken.yaml:3: runs: missing");
  expect(place.textContent).not.toContain("and more");
  await says(place, "the lab host died");
  const report = place.querySelector('a[href="/api/researcher/experiments/small/report"]');
  expect(report?.getAttribute("aria-label")).toBe("Report: Small");
  expect(place.querySelector('a[href="/researcher/experiments/small"]')?.textContent).toBe("Small");
  expect(await faultsOf(place)).toEqual([]);
});
