// What the tables show is the agent's figure itself, in words and units only.
import { expect, test } from "vitest";
import { PlausibleDemo } from "../../../demo-charts/plausibleDemo";
import type { LaneFigures } from "../../api/generated";
import { FeedStore } from "../feed/store";
import { FELT_ROWS, latencyRows, PACKET_ROWS, SOUND_ROWS } from "./figures";

const store = new FeedStore();
const demo = new PlausibleDemo([false], 20);
for (let at_ms = 100; at_ms <= 5_000; at_ms += 100) {
  for (const message of demo.until(at_ms)) store.take(message);
}
const lane = store.lanes[0];
const figures = lane?.figures?.whole as LaneFigures;

const cell = (
  rows: readonly { name: string; of: (source: LaneFigures) => unknown }[],
  name: string,
) => rows.find((row) => row.name === name)?.of(figures);

test("quantiles", () => {
  const { application, transport } = figures.metrics;
  const p99_us = application.per_message.p99_us;
  expect(cell(latencyRows("message"), "Application latency, 99 %")).toEqual({
    value: p99_us,
    text: `${(p99_us / 1000).toFixed(1)} ms`,
  });
  expect(cell(latencyRows("byte"), "Transport latency, median")).toMatchObject({
    value: transport.per_byte.p50_us,
  });
});

test("shares and counts", () => {
  const { felt, copies, metrics } = figures;
  expect(cell(FELT_ROWS, "Later than 150 ms")).toMatchObject({
    value: felt.share_later_than_150_ms,
  });
  expect(cell(FELT_ROWS, "Longest stall")).toEqual({ value: 300, text: "300 ms" });
  expect(cell(PACKET_ROWS, "Bundles")).toEqual({
    value: copies.bundle_packets,
    text: String(copies.bundle_packets),
  });
  expect(cell(PACKET_ROWS, "Loss, forward")).toEqual({
    value: metrics.loss_share_forward,
    text: "3.00 %",
  });
});

test("sound", () => {
  const facts = lane?.playout;
  if (!facts) throw new Error("no playout");
  expect(SOUND_ROWS.find(({ name }) => name === "Longest gap")?.of(facts)).toEqual({
    value: facts.longest_gap_ms,
    text: "80 ms",
  });
});

test("a figure that this agent does not know is a dash, not a zero", () => {
  const { share_later_than_50_ms: _, ...felt } = figures.felt;
  const row = FELT_ROWS.find(({ name }) => name === "Later than 50 ms");
  expect(row?.of({ ...figures, felt })).toEqual({ value: null, text: "–" });
});
