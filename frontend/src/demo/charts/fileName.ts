// What a chart's file is called: the demo, the chart, the take, and the instant that it
// shows, so that no two are called alike. Pure.
// SPDX-License-Identifier: Apache-2.0
import { clockText } from "./stretch";
import type { ChartProps } from "./usePainting";

const SECOND_MS = 1_000;
/** With all else, within what file systems take. */
const LONGEST = 60;

/** Such as `thin-streams-latency-over-time-take-2-2026-03-14-at-3m05.png`. */
export function fileName(
  { view, about }: Pick<ChartProps, "view" | "about">,
  chart: string,
  kind: string,
): string {
  const { now_ms, feed } = view;
  const date = about.began_at && dayOf(Date.parse(about.began_at) + now_ms);
  const at = `at-${clockText(now_ms, SECOND_MS).replaceAll(":", "m")}`;
  const take = `take-${feed.store.take_number}`;
  const parts = [plain(about.title), plain(chart), take, date, at];
  return `${parts.filter(Boolean).join("-")}.${kind}`;
}

/** Such as `thin-streams-distribution-of-latency-takes-1-3.png`. */
export const takesFileName = (
  demo: string,
  chart: string,
  takes: readonly number[],
  kind: string,
): string => `${[plain(demo), plain(chart), "takes", ...takes].join("-")}.${kind}`;

/** Letters and digits of whatever language, and nothing that a file system minds. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, "");

/** In the reader's own time zone. */
function dayOf(epoch_ms: number): string {
  const day = new Date(epoch_ms);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}
