// How a demo was set when, as far as a page was told: for what is said of an instant that
// is past.
// SPDX-License-Identifier: Apache-2.0
import type { AudienceState, DemoState } from "../api/generated";
import type { Setting } from "./charts/caption";
import { laneInWords, pathInFull, stream } from "./console/wording";

/** Longer than what a page keeps of the charts, however often something is changed. */
const MOST = 500;

/** As consoles and replays are told it. */
export function settingOf({ at_ms, path, stream: sent, lanes }: DemoState): Setting {
  const senders: string[] = [];
  for (const lane of lanes) senders[lane.lane] = laneInWords(lane);
  return { at_ms, path: pathInFull(path), stream: stream(sent), senders };
}

const KINDS: Readonly<Record<AudienceState["stream"], string>> = {
  clip: "a clip",
  microphone: "the presenter’s microphone",
  terminal: "a terminal",
  synthetic: "synthetic",
};

/** As the audience is told it; null in blind mode. */
export function settingToldOf({ at_ms, path, stream: kind, lanes }: AudienceState): Setting | null {
  if (!path) return null;
  const senders: string[] = [];
  for (const { revealed } of lanes) {
    if (revealed) senders[revealed.lane] = laneInWords(revealed);
  }
  return { at_ms, path: pathInFull(path), stream: KINDS[kind], senders };
}

export class Settings {
  #known: Setting[] = [];

  /** The newest; most states differ in other things. */
  take(setting: Setting): void {
    const last = this.#known.at(-1);
    if (last && JSON.stringify({ ...setting, at_ms: last.at_ms }) === JSON.stringify(last)) return;
    this.#known = [...this.#known.slice(1 - MOST), setting];
  }

  /** The one that held at an instant; of before the first, that. */
  readonly at = (at_ms: number): Setting | null =>
    this.#known.findLast((setting) => setting.at_ms <= at_ms) ?? this.#known[0] ?? null;
}
