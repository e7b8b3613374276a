// A session as the server tells of it, in Chromium.
// SPDX-License-Identifier: Apache-2.0
import { expect, test, vi } from "vitest";
import type { ServerMessage } from "./frames";
import { TypingSession } from "./session";
import { timeLeft_ms } from "./taskTime";
import type { OpenTransport } from "./transport";

/** A session, and what tells it messages, each in a frame of its own. */
async function sessionThatHears() {
  let tell: (text: string) => void = () => {};
  const open: OpenTransport = async (_, { onText }) => {
    tell = onText;
    return { kind: "reliable", send: () => {}, isFull: () => false, close: () => {} };
  };
  const session = new TypingSession({ participant_token: "p", session_token: "s" }, {}, open);
  await vi.waitFor(() => expect(session.transport).toBe("reliable"));
  let first = 0;
  const hear = (message: ServerMessage) => {
    first += 1;
    const opening = first === 1 ? { type: "welcome", resumed: false } : null;
    tell(JSON.stringify({ opening, ack: 0, first, messages: [message], probe: null }));
  };
  return { session, hear };
}

test("who is held loses nothing of the task's time, by the server's own count", async () => {
  const { session, hear } = await sessionThatHears();
  const left_ms = () => {
    const { time } = session.view();
    // As after ten seconds more.
    return time && timeLeft_ms(time, time.told_ms + 10_000);
  };
  expect(left_ms()).toBeNull();
  hear({ type: "stage", stage: "ready", reason: null, limit_ms_left: 60_000 });
  expect(left_ms()).toBe(50_000);
  hear({ type: "held", held: true, limit_ms_left: 41_000 });
  expect(session.view().held).toBe(true);
  expect(left_ms()).toBe(41_000);
  hear({ type: "held", held: false, limit_ms_left: 41_000 });
  expect(session.view().held).toBe(false);
  expect(left_ms()).toBe(31_000);
  session.dispose();
});
