// What passes between a page and the server while somebody types, as the page
// sends and receives it: keys with the instant of their keydown, screens, and
// when each was painted.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";
import type { BrowserFrame, ServerFrame } from "../src/api/generated.ts";

declare global {
  interface Window {
    /** Frames of all channels, oldest first: those sent, those received. */
    passed?: { sent: string[]; received: string[] };
  }
}

/** Before the page is opened. */
export async function watchFrames(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const passed = { sent: [] as string[], received: [] as string[] };
    window.passed = passed;
    const create = RTCPeerConnection.prototype.createDataChannel;
    RTCPeerConnection.prototype.createDataChannel = function (...given) {
      const channel = create.apply(this, given);
      channel.addEventListener("message", ({ data }) => passed.received.push(data as string));
      const send = channel.send.bind(channel) as (text: string) => void;
      channel.send = (text: unknown) => {
        passed.sent.push(text as string);
        send(text as string);
      };
      return channel;
    };
  });
}

/** From keydown to paint, in ms, key after key; what passed so far is forgotten. */
export async function keysToPaint_ms(page: Page): Promise<number[]> {
  const { sent, received } = await page.evaluate(() => {
    const { sent, received } = window.passed ?? { sent: [], received: [] };
    return { sent: sent.splice(0), received: received.splice(0) };
  });
  const pressed_us = new Map<number, number>();
  const painted_us = new Map<number, number>();
  for (const text of sent) {
    for (const message of (JSON.parse(text) as BrowserFrame).messages ?? []) {
      if (message.type === "key") pressed_us.set(message.number, message.at_us);
      if (message.type !== "painted") continue;
      for (const { number, at_us } of message.screens) painted_us.set(number, at_us);
    }
  }
  const answers = new Map<number, number>();
  for (const text of received) {
    for (const message of (JSON.parse(text) as ServerFrame).messages ?? []) {
      if (message.type === "screen") answers.set(message.number, message.answers_key);
    }
  }
  const screens = [...answers].sort(([one], [other]) => one - other);
  return [...pressed_us].map(([key, at_us]) => {
    const shown = screens.find(([, answered]) => answered >= key)?.[0];
    const seen_us = shown === undefined ? undefined : painted_us.get(shown);
    if (seen_us === undefined) throw new Error(`Key ${key} was never seen.`);
    return (seen_us - at_us) / 1_000;
  });
}
