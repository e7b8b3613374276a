// The charts' drawing functions, drawn with the pen that writes SVG.
import { expect, test } from "vitest";
import { PlausibleDemo } from "../../../demo-charts/plausibleDemo";
import type { Pen, Size } from "../../charts/pen";
import { SvgPen } from "../../charts/svgPen";
import { FeedStore } from "../feed/store";
import { CDF_PX, drawCdf } from "./drawCdf";
import { drawFelt, feltHeight, percent } from "./drawFelt";
import { drawLadderOver, drawLadderStretch } from "./drawLadder";
import { drawLatencyOver, drawLatencyStretch, LATENCY_PX } from "./drawLatency";
import { drawSocketsOver, drawSocketsStretch, SOCKETS_PX } from "./drawSockets";
import { ladderHeight, railsOf } from "./ladderGeometry";
import { drawWhole } from "./painting";
import type { Palette } from "./palette";

const palette: Palette = {
  paper: "paper",
  card: "card",
  ink: "ink",
  inkSoft: "ink-soft",
  line: "line",
  edge: "edge",
  accent: "accent",
  packetNew: "packet-new",
  packetBundle: "packet-bundle",
  packetFast: "packet-fast",
  packetTimeout: "packet-timeout",
  packetAcknowledgement: "packet-acknowledgement",
  packetDuplicate: "packet-duplicate",
  packetSelective: "packet-selective",
  packetLost: "packet-lost",
  soundConcealed: "sound-concealed",
  soundSilent: "sound-silent",
  soundStretched: "sound-stretched",
  soundCompressed: "sound-compressed",
  soundDropped: "sound-dropped",
  soundDamaged: "sound-damaged",
  lanes: ["lane-1", "lane-2", "lane-3", "lane-4"],
  font: "12px system-ui, sans-serif",
};
const LADDER = { drawStretch: drawLadderStretch, drawOver: drawLadderOver };
const LATENCY = { drawStretch: drawLatencyStretch, drawOver: drawLatencyOver };
const SOCKETS = { drawStretch: drawSocketsStretch, drawOver: drawSocketsOver };
const NOW_MS = 30_000;
const WIDTH = 1_200;

const store = new FeedStore();
const demo = new PlausibleDemo([false, true], 20);
for (let at_ms = 100; at_ms <= NOW_MS; at_ms += 100) {
  for (const message of demo.until(at_ms)) store.take(message);
}
const lanes = [
  { lane: 0, letter: "A", name: "off" },
  { lane: 1, letter: "B", name: "all & more" },
];
const base = { store, lanes, now_ms: NOW_MS };

function written(height: number, draw: (pen: Pen, size: Size) => void): string {
  const size = { width: WIDTH, height };
  const svg = new SvgPen(size, (text) => text.length * 7);
  draw(svg.pen, size);
  return svg.document("A chart");
}

const ladder = (buffer_most_ms: number | null, model = base) =>
  written(ladderHeight(2, buffer_most_ms !== null), (pen, size) =>
    drawWhole(
      pen,
      LADDER,
      { ...model, shown_ms: 12_000, chosen: { lane: 0, number: 500 }, buffer_most_ms },
      size,
      palette,
    ),
  );

const PICTURES: Readonly<Record<string, () => string>> = {
  ladder: () => ladder(null),
  sound: () => ladder(100),
  latency: () =>
    written(LATENCY_PX, (pen, size) =>
      drawWhole(
        pen,
        LATENCY,
        { ...base, shown_ms: 30_000, scale: { least: 0, most: 1_000, logarithmic: false } },
        size,
        palette,
      ),
    ),
  sockets: () =>
    written(SOCKETS_PX, (pen, size) =>
      drawWhole(
        pen,
        SOCKETS,
        { ...base, shown_ms: 30_000, reach: { in_flight: 50, cwnd: 50, rto_ms: 1_000 } },
        size,
        palette,
      ),
    ),
  cdf: () =>
    written(CDF_PX, (pen, size) =>
      drawCdf(
        pen,
        { ...base, of: "application", weighted: "message", logarithmic: true },
        size,
        palette,
      ),
    ),
  felt: () => written(feltHeight(2), (pen, size) => drawFelt(pen, base, size, palette)),
};

/** Elements open and close in order, no attribute comes twice, nothing is not a number. */
function expectWellFormed(svg: string): void {
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  const open: string[] = [];
  const tags = svg.matchAll(/<(\/?)([a-z]+)((?: [a-z-]+="[^"<]*")*)(\/?)>/gi);
  let length = 0;
  for (const [whole, closing, name = "", attributes = "", alone] of tags) {
    length += whole.length;
    const names = [...attributes.matchAll(/ ([a-z-]+)=/gi)].map(([, key]) => key);
    expect(new Set(names).size).toBe(names.length);
    if (closing) expect(open.pop()).toBe(name);
    else if (!alone) open.push(name);
  }
  expect(open).toEqual([]);
  expect(svg.replace(/<[^<>]*>/g, "")).not.toMatch(/[<>]|&(?!amp;|lt;|gt;|quot;)/);
  expect(length).toBeGreaterThan(0);
}

test.each(Object.keys(PICTURES))("%s is well-formed SVG with both lanes in it", (name) => {
  const svg = PICTURES[name]?.() ?? "";
  expectWellFormed(svg);
  expect(svg).toContain('viewBox="0 0 1200 ');
  for (const colour of ["lane-1", "lane-2"]) expect(svg).toContain(`"${colour}"`);
  expect(svg).toContain("Lane B: all on newreno2008");
});

test("the ladder shows each kind by its colour and each lost packet by a cross", () => {
  const svg = PICTURES.ladder?.() ?? "";
  for (const kind of ["new", "bundle", "fast", "timeout", "acknowledgement", "selective", "lost"]) {
    expect(svg, kind).toContain(`stroke="packet-${kind}"`);
  }
  const crosses = [...svg.matchAll(/<path d="([^"]*)"[^>]*stroke="packet-lost"/g)]
    .map(([, path = ""]) => path.split("M").length - 1)
    .reduce((sum, strokes) => sum + strokes / 2, 0);
  const lost = store.lanes
    .flatMap(({ packets }) => Array.from({ length: packets.length }, (_, at) => packets.at(at)))
    .filter((packet) => packet?.arrived_ms === null && packet.sent_ms > NOW_MS - 12_000 + 40);
  expect(crosses).toBeGreaterThanOrEqual(lost.length);
  expect(crosses).toBeLessThanOrEqual(lost.length + 4);
});

test("what the ear gets stands under the packets, where the stream is one that is heard", () => {
  for (const kind of ["concealed", "silent"]) {
    expect(PICTURES.sound?.()).toContain(`"sound-${kind}"`);
    expect(PICTURES.ladder?.()).not.toContain(`"sound-${kind}"`);
  }
});

test("the lane that the page sounds with is named in it", () => {
  const heard = written(ladderHeight(2, false), (pen, size) =>
    drawWhole(
      pen,
      LADDER,
      {
        ...base,
        lanes: lanes.map((lane) => ({ ...lane, heard: lane.letter === "A" })),
        shown_ms: 5_000,
        chosen: null,
        buffer_most_ms: null,
      },
      size,
      palette,
    ),
  );
  expect(new Set(heard.match(/[AB]: [^<]*you hear it/g))).toEqual(new Set(["A: off (you hear it"]));
});

test("felt delays are the agent's shares, to the letter", () => {
  const svg = PICTURES.felt?.() ?? "";
  for (const { figures } of store.lanes) {
    const share = figures?.whole.felt.share_later_than_100_ms ?? Number.NaN;
    expect(svg).toContain(`${(share * 100).toFixed(2)} %`);
  }
});

/** As after a draw that gave the second lane the first letter. */
const swapped = {
  ...base,
  lanes: [
    { lane: 1, letter: "A", name: "all" },
    { lane: 0, letter: "B", name: "off" },
  ],
};

test("packets stand in the order of the letters, whichever lanes these stand for", () => {
  const heights = (svg: string) =>
    [...svg.matchAll(/<path d="([^"]*)"[^>]*stroke="packet-bundle"/g)].flatMap(([, path = ""]) =>
      [...path.matchAll(/[ML][\d.-]+ ([\d.-]+)/g)].map(([, y]) => Number(y)),
    );
  const second_px = railsOf(1, false).top;
  expect(Math.min(...heights(ladder(null)))).toBeGreaterThan(second_px);
  expect(Math.max(...heights(ladder(null, swapped)))).toBeLessThan(second_px);
});

test("figures stand in that order, too", () => {
  const first = (model: typeof base) =>
    /([\d.]+ %) /.exec(written(feltHeight(2), (pen, size) => drawFelt(pen, model, size, palette)));
  const shares = store.lanes.map(({ figures }) => figures?.whole.felt.share_later_than_50_ms ?? 0);
  expect(shares[0]).not.toBe(shares[1]);
  expect(first(base)?.[1]).toBe(percent(shares[0] ?? 0));
  expect(first(swapped)?.[1]).toBe(percent(shares[1] ?? 0));
});

test("what a name holds does not end up as markup", () => {
  expect(PICTURES.ladder?.()).toContain("B: all &amp; more");
});

test("whatever was never sent draws nothing that breaks", () => {
  const empty = { store: new FeedStore(), lanes, now_ms: 0 };
  const model = { ...empty, shown_ms: 5_000, chosen: null, buffer_most_ms: 50 };
  const svg = written(ladderHeight(2, true), (pen, size) =>
    drawWhole(pen, LADDER, model, size, palette),
  );
  expectWellFormed(svg);
  expectWellFormed(written(feltHeight(2), (pen, size) => drawFelt(pen, empty, size, palette)));
});
