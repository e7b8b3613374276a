// The demo's charts by themselves, on a feed that is made up here: to look at, and
// to measure. `?lanes=2&iat=20&ahead=60` say how many lanes, a message every how
// many ms, and how many seconds are there from the beginning.
// SPDX-License-Identifier: Apache-2.0
import "../src/design/tokens.css";
import "../src/design/base.css";
import { createRoot } from "react-dom/client";
import { DemoCharts } from "../src/demo/charts/DemoCharts";
import { LiveFeed } from "../src/demo/feed/feed";
import { Sheet } from "../src/design/Sheet";
import { PlausibleDemo } from "./plausibleDemo";

const asked = new URLSearchParams(location.search);
const number = (name: string, otherwise: number) => Number(asked.get(name) ?? otherwise);

const NAMES = ["off", "all", "bundling", "linear timeouts"];
const lanes = NAMES.slice(0, number("lanes", 2)).map((name, lane) => ({
  lane,
  letter: "ABCD".charAt(lane),
  name,
}));
const ABOUT = {
  title: "A made-up feed",
  began_at: null,
  blind: asked.has("blind"),
  settingAt: () => null,
};
const MOMENT_MS = 100;
const MADE_UP_MS = number("minutes", 4) * 60_000;
const ahead_ms = number("ahead", 60) * 1000;

/** As lines that a server would send, so that reading them costs what it costs there;
 * nothing is made up while it is measured. */
function lines(): { at_ms: number; line: string }[] {
  const bundling = lanes.map(({ name }) => name === "all" || name === "bundling");
  const demo = new PlausibleDemo(bundling, number("iat", 20));
  const made = [];
  for (let at_ms = MOMENT_MS; at_ms <= MADE_UP_MS; at_ms += MOMENT_MS) {
    for (const message of demo.until(at_ms)) made.push({ at_ms, line: JSON.stringify(message) });
  }
  return made;
}

const feed = new LiveFeed();
const saved = asked.has("empty") ? [] : lines();
let told = 0;

function tellUntil(at_ms: number): void {
  for (let next = saved[told]; next && next.at_ms <= at_ms; next = saved[told]) {
    feed.take(JSON.parse(next.line));
    told += 1;
  }
}

const began_ms = performance.now();
tellUntil(ahead_ms);
setInterval(() => tellUntil(ahead_ms + performance.now() - began_ms), MOMENT_MS / 4);

const place = document.getElementById("page");
if (place) {
  createRoot(place).render(
    <Sheet title="The demo’s charts on a made-up feed" wide>
      <DemoCharts feed={feed} lanes={lanes} about={ABOUT} sound />
    </Sheet>,
  );
}
