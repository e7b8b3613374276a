// A demo's saved feed as it is read: the charts' part goes to their replay, here
// stay what the demo was like and what the terminals showed.
// SPDX-License-Identifier: Apache-2.0
import type { ConsoleMessage, DemoState, LaneScreen } from "../../api/generated";
import { ReplayFeed } from "../feed/replay";

export interface Recorded {
  readonly feed: ReplayFeed;
  /** In order of time. */
  readonly states: readonly DemoState[];
  readonly screens: readonly LaneScreen[];
}

/** Reads all of it, and tells after each piece what there is so far.
 * @throws Error when it cannot be fetched. */
export async function readFeed(
  address: string,
  told: (recorded: Recorded) => void,
  signal: AbortSignal,
): Promise<void> {
  const answer = await fetch(address, { signal, credentials: "same-origin" });
  if (!answer.ok || !answer.body) throw new Error(`The server answered ${answer.status}.`);
  const feed = new ReplayFeed();
  const states: DemoState[] = [];
  const screens: LaneScreen[] = [];
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? "")).split("\n");
    // What comes last is a line's beginning, unless it was the last of all.
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) keep(line, states, screens);
    feed.append(lines);
    told({ feed, states: [...states], screens: [...screens] });
    if (done) return;
  }
}

/** Moments are by far the most, and are read only when they are shown. */
function keep(line: string, states: DemoState[], screens: LaneScreen[]): void {
  if (!/"type": ?"(state|screen)"/.test(line)) return;
  const message = JSON.parse(line) as ConsoleMessage;
  if (message.type === "state") states.push(message);
  if (message.type === "screen") screens.push(message);
}

/** The newest that is not after an instant; before the first, the first. */
export function newestAt<T extends { readonly at_ms: number }>(
  all: readonly T[],
  at_ms: number,
): T | null {
  return all.findLast((one) => one.at_ms <= at_ms) ?? all[0] ?? null;
}
