// What stands under a picture that leaves the page, so that it can be read without it:
// which demo it is of, how that was set, what was changed. Pure.
// SPDX-License-Identifier: Apache-2.0
import type { DemoEvent } from "../../api/generated";
import { moment } from "../../staff/format";
import type { FeedStore } from "../feed/store";
import { type Naming, titleOf } from "./lanes";
import { clockText } from "./stretch";

/** How a demo was set from an instant on, in words. */
export interface Setting {
  readonly at_ms: number;
  readonly stream: string;
  readonly path: string;
  /** What each sender does, by the lanes' numbers. */
  readonly senders: readonly string[];
}

/** What a page knows of the demo that its charts are of. */
export interface About {
  readonly title: string;
  /** An instant in ISO 8601; null: this page is not told. */
  readonly began_at: string | null;
  /** Whether letters are all that may be told now. */
  readonly blind: boolean;
  /** null: not known. */
  readonly settingAt: (at_ms: number) => Setting | null;
}

export interface Pictured {
  readonly now_ms: number;
  /** null: figures of the take so far. */
  readonly shown_ms: number | null;
  readonly take: number;
}

/** Of what was changed, the newest. */
const MOST_EVENTS = 8;
/** What charts without an axis of time show beside the whole take. */
const LAST_MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

/** Its paragraphs. */
export function captionOf(
  about: About,
  { lanes, letters_only }: Naming,
  pictured: Pictured,
  store: FeedStore,
): string[] {
  const first = whichOf(about, pictured);
  if (letters_only) return [first, "Saved in blind mode: letters only."];
  const { now_ms } = pictured;
  const setting = about.settingAt(now_ms);
  const found = [first];
  if (setting) {
    const { stream, path, senders } = setting;
    found.push(`At ${clockText(now_ms, SECOND_MS)}: path ${path}; stream ${stream}.`);
    for (const lane of lanes) {
      const sender = senders[lane.lane];
      if (sender) found.push(`Lane ${titleOf(lane)}. ${sender}.`);
    }
  }
  const changes = changesOf(store, pictured);
  if (changes) found.push(changes);
  return found;
}

function whichOf({ title, began_at }: About, { now_ms, shown_ms, take }: Pictured): string {
  const to = clockText(now_ms, SECOND_MS);
  const when =
    shown_ms === null
      ? `up to ${to} and its last minute`
      : `${clockText(Math.max(0, now_ms - shown_ms), SECOND_MS)} to ${to}`;
  const date = began_at && ` ${moment(new Date(Date.parse(began_at) + now_ms).toISOString())}.`;
  return `Thinlab: ${title}, take ${take}, ${when} (min:s since the demo began).${date ?? ""}`;
}

function changesOf({ events }: FeedStore, { now_ms, shown_ms }: Pictured): string | null {
  const at = ({ at_ms }: DemoEvent) => at_ms;
  const first = events.lowerBound(at, now_ms - (shown_ms ?? LAST_MINUTE_MS));
  const found: DemoEvent[] = [];
  for (let index = first; index < events.length; index++) {
    const event = events.at(index);
    if (event && event.at_ms <= now_ms) found.push(event);
  }
  if (found.length === 0) return null;
  const told = found
    .slice(-MOST_EVENTS)
    .map(({ at_ms, text }) => `${clockText(at_ms, SECOND_MS)} ${text.replace(/\.$/, "")}`);
  const more = found.length - told.length;
  return `Changes: ${more > 0 ? `${more} more; ` : ""}${told.join("; ")}.`;
}
