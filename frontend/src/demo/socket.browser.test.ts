// What the browser says of its network is told at once, and found out again.
// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Socket, type Standing } from "./socket";

/** The other end, as far as a socket can be opened and closed. */
class Line extends EventTarget {
  static readonly OPEN = 1;
  static opened: Line[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;

  constructor() {
    super();
    Line.opened.push(this);
  }
  answer(): void {
    this.readyState = Line.OPEN;
    this.onopen?.();
  }
  close(): void {
    this.readyState = 3;
  }
}

beforeEach(() => {
  Line.opened = [];
  vi.stubGlobal("WebSocket", Line);
});
afterEach(() => vi.unstubAllGlobals());

test("offline is told at once, not after a silence, and the next socket says whether it is so", async () => {
  const standings: Standing[] = [];
  const socket = new Socket(
    "/x",
    {},
    {
      onMessage: () => {},
      onStanding: (standing) => standings.push(standing),
      onRefused: () => {},
    },
  );
  Line.opened[0]?.answer();
  dispatchEvent(new Event("offline"));
  expect(standings).toEqual(["open", "away"]);
  expect(Line.opened[0]?.readyState).toBe(3);
  await vi.waitUntil(() => Line.opened.length === 2);
  Line.opened[1]?.answer();
  expect(standings).toEqual(["open", "away", "open"]);
  socket.close();
});
