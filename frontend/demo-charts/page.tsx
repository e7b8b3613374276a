// The demo's charts by themselves, on a feed that is made up here: to look at, and
// to measure. `?lanes=2&iat=20&ahead=60` say how many lanes, a message every how
// many ms, and how many seconds are there from the beginning.
// SPDX-License-Identifier: Apache-2.0
import "../src/design/tokens.css";
import "../src/design/base.css";
import { createRoot } from "react-dom/client";
import { DemoCharts } from "../src/demo/charts/DemoCharts";
import { LiveFeed } from "../src/demo/feed/feed";
import { Sheet } from "../src/design/elements";
import { PlausibleDemo } from "./plausibleDemo";

const asked = new URLSearchParams(location.search);
const number = (name: string, otherwise: number) => Number(asked.get(name) ?? otherwise);

const NAMES = ["off", "all", "bundling", "linear timeouts"];
const lanes = NAMES.slice(0, number("lanes", 2)).map((name, lane) => ({
  letter: "ABCD".charAt(lane),
  name,
}));
const demo = new PlausibleDemo(
  lanes.map(({ name }) => name === "all" || name === "bundling"),
  number("iat", 20),
);
const feed = new LiveFeed();
const MOMENT_MS = 100;
const ahead_ms = number("ahead", 60) * 1000;
let told_ms = 0;

/** As the server sends what a page that comes late has missed. */
function tellUntil(at_ms: number): void {
  while (told_ms + MOMENT_MS <= at_ms) {
    told_ms += MOMENT_MS;
    for (const message of demo.until(told_ms)) feed.take(message);
  }
}

const began_ms = performance.now();
if (!asked.has("empty")) tellUntil(ahead_ms);
if (!asked.has("empty"))
  setInterval(() => tellUntil(ahead_ms + performance.now() - began_ms), MOMENT_MS / 4);

const place = document.getElementById("page");
if (place) {
  createRoot(place).render(
    <Sheet title="The demo’s charts on a made-up feed" wide>
      <DemoCharts feed={feed} lanes={lanes} sound />
    </Sheet>,
  );
}
