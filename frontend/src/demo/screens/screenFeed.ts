// What each lane's terminal shows, from a take's beginning: kept, so that a pane
// that is opened later shows the same.
// SPDX-License-Identifier: Apache-2.0

/** Its number, or the letter that the audience knows it by. */
export type LaneKey = number | string;

type Writing = (data: string) => void;
type Clearing = () => void;

interface Pane {
  readonly write: Writing;
  readonly clear: Clearing;
}

export class ScreenFeed {
  readonly #written = new Map<LaneKey, string[]>();
  readonly #panes = new Map<LaneKey, Set<Pane>>();

  /** What the server sent for the lane's terminal. */
  write(lane: LaneKey, data: string): void {
    const before = this.#written.get(lane);
    if (before) before.push(data);
    else this.#written.set(lane, [data]);
    for (const pane of this.#panes.get(lane) ?? []) pane.write(data);
  }

  /** What the server sent of it from the take's beginning, in place of what was known. */
  writeAll(lane: LaneKey, data: string): void {
    this.#written.delete(lane);
    for (const pane of this.#panes.get(lane) ?? []) pane.clear();
    this.write(lane, data);
  }

  /** Another take: other terminals. */
  clear(): void {
    this.#written.clear();
    for (const panes of this.#panes.values()) for (const pane of panes) pane.clear();
  }

  /** Writes what there is, and from now on what comes. Returns what ends it. */
  show(lane: LaneKey, pane: Pane): () => void {
    const panes = this.#panes.get(lane) ?? new Set();
    this.#panes.set(lane, panes.add(pane));
    const before = this.#written.get(lane);
    if (before) pane.write(before.join(""));
    return () => {
      panes.delete(pane);
    };
  }
}
