import { expect, test } from "vitest";
import { PlausibleDemo } from "../../../../demo-charts/plausibleDemo";
import type { DemoTakeRecord } from "../../../api/generated";
import { ReplayFeed } from "../../feed/replay";
import { curvesOf, linesOf } from "./lines";
import { BIN_MS, stepFor, stepped, tracesOf } from "./traces";

const TAKE_MS = 20_000;
/** The second take follows at once. */
const TAKES = [1, 2].map((number) => ({
  number,
  began_at_ms: (number - 1) * TAKE_MS,
  ready_at_ms: (number - 1) * TAKE_MS,
  letters: number === 2 ? "BA" : null,
  settings: { lanes: [{}, {}] },
  words: { senders: ["No mechanism", "Bundling"] },
})) as unknown as DemoTakeRecord[];

/** Two takes of which the second is the first again, so much later. */
function twice(): ReplayFeed {
  const feed = new ReplayFeed();
  const demo = new PlausibleDemo([false, true], 50);
  const lines: string[] = [];
  for (let at_ms = 100; at_ms < TAKE_MS; at_ms += 100) {
    for (const message of demo.until(at_ms)) lines.push(JSON.stringify(message));
  }
  const later = lines.map((line) =>
    JSON.stringify(
      JSON.parse(line, (key, value) =>
        key.endsWith("_ms") && typeof value === "number" && AT.includes(key)
          ? value + TAKE_MS
          : value,
      ),
    ).replace('"take":1', '"take":2'),
  );
  feed.append([...lines, ...later]);
  return feed;
}

const AT = ["at_ms", "sent_ms", "written_ms", "arrived_ms", "available_ms"];

const read = (feed: ReplayFeed) => tracesOf(feed, TAKES, new AbortController().signal);

test("takes that went alike lie on each other, each from its own beginning", async () => {
  const traces = await read(twice());
  expect([...(traces?.keys() ?? [])]).toEqual([1, 2]);
  const [first, second] = [traces?.get(1), traces?.get(2)];
  expect(first?.[0]?.longest_ms.length).toBeGreaterThan((TAKE_MS / BIN_MS) * 0.9);
  for (const lane of [0, 1]) {
    const rounded = [first, second].map((take) =>
      take?.[lane]?.longest_ms.map((longest = 0) => Math.round(longest)),
    );
    expect(rounded[0]).toEqual(rounded[1]);
  }
  // Who waits for retransmissions is later than who bundles.
  const worst = (lane: number) =>
    Math.max(...(first?.[lane]?.longest_ms ?? []).map((one = 0) => one));
  expect(worst(0)).toBeGreaterThan(2 * worst(1));
});

test("a page that is left is not read on for", async () => {
  const leaving = new AbortController();
  leaving.abort();
  expect(await tracesOf(twice(), TAKES, leaving.signal)).toBeNull();
});

test("of more bins than a chart has room for, the longest of each step is shown", () => {
  const trace = { longest_ms: [10, undefined, 30, 20, undefined, undefined, 5, 5], last: {} };
  expect(stepped(trace, 2 * BIN_MS)).toEqual([
    { at_ms: 500, longest_ms: 10 },
    { at_ms: 1_500, longest_ms: 30 },
    { at_ms: 3_500, longest_ms: 5 },
  ]);
  expect([20_000, 600_000, 7_200_000].map((length_ms) => stepFor(length_ms))).toEqual([
    500, 5_000, 30_000,
  ]);
});

test("a line has its lane's colour and its take's dashes, and the take's own letters", async () => {
  const traces = await read(twice());
  const lines = linesOf(TAKES, traces ?? new Map(), new Map());
  expect(lines.map(({ label, lane, look }) => [label, lane, look])).toEqual([
    ["1A", 0, 0],
    ["1B", 1, 1],
    ["2A", 1, 0],
    ["2B", 0, 1],
  ]);
  const dashes = lines.map(({ dash }) => dash.join());
  expect(dashes).toEqual(["", "", "7,4", "7,4"]);
  expect(lines[3]?.words).toContain("No mechanism");
  // Without a result, what the feed said last is shown.
  const curves = curvesOf(lines, "application", "message");
  expect(curves.map(({ label }) => label)).toEqual(["1A", "1B", "2A", "2B"]);
  expect(curves[0]?.distribution).toEqual(curves[3]?.distribution);
});

test("where a take has its own result, that is shown", () => {
  const figures = { metrics: null, copies: null, felt: null };
  const result = { lanes: [{ figures }, { figures }] };
  const lines = linesOf(TAKES, new Map(), new Map([[1, result as never]]));
  expect(lines[0]?.measured).toEqual({ figures });
  expect(lines[2]?.measured).toBeNull();
  expect(curvesOf(lines, "felt", "message")).toEqual([]);
});
