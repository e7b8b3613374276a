// How a demo was set when, as far as a page was told: for what is said of an instant that
// is past.
// SPDX-License-Identifier: Apache-2.0
import type { AudienceState, DemoState } from "../api/generated";
import type { Setting } from "./charts/caption";

/** Longer than what a page keeps of the charts, however often something is changed. */
const MOST = 500;

/** As consoles and replays are told it. */
export const settingOf = ({ at_ms, words }: DemoState): Setting => ({
  at_ms,
  path: words.path_in_full,
  stream: words.stream,
  senders: words.senders,
});

const KINDS: Readonly<Record<AudienceState["stream"], string>> = {
  clip: "a clip",
  microphone: "the presenter’s microphone",
  terminal: "a terminal",
  synthetic: "synthetic",
};

/** As the audience is told it; null in blind mode. */
export function settingToldOf(state: AudienceState): Setting | null {
  const { at_ms, path_in_full: path, stream: kind, lanes } = state;
  if (path === null) return null;
  const senders: string[] = [];
  for (const { revealed } of lanes) {
    if (revealed) senders[revealed.lane] = revealed.sender;
  }
  return { at_ms, path, stream: KINDS[kind], senders };
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
