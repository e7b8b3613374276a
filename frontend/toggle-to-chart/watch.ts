// What happens to each click on a switch, by the page's own clock: the command that it
// sent, the server's answer, and the frame in which the charts had its event.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";

interface Answered {
  readonly kernel_ms: number;
  /** The number of the event that it made. */
  readonly event: number;
}

declare global {
  interface Window {
    toggles?: {
      /** When the mouse let go, by the event's own time. */
      clicked_ms: number;
      /** The number of the command that followed. */
      command: number;
      readonly answers: Map<number, Answered>;
      /** When the charts first had an event of this number or a later one. */
      readonly drawn_ms: [number: number, at_ms: number][];
    };
  }
}

export interface Toggle extends Answered {
  readonly chart_ms: number;
}

/** Runs in the page before any script of it. */
export function watchToggles(): void {
  const toggles = {
    clicked_ms: Number.NaN,
    command: -1,
    answers: new Map<number, Answered>(),
    drawn_ms: [] as [number, number][],
  };
  window.toggles = toggles;
  addEventListener("click", ({ timeStamp }) => (toggles.clicked_ms = timeStamp), true);
  const Socket = WebSocket;
  window.WebSocket = class extends Socket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      const send = this.send.bind(this);
      this.send = (data) => {
        const { command, do: what } = JSON.parse(String(data));
        if (what === "set_lane") toggles.command = command;
        send(data);
      };
      this.addEventListener("message", ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === "done") toggles.answers.set(message.command, message);
      });
    }
  };
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const number = Number((target as Element).getAttribute("data-drawn-event"));
      toggles.drawn_ms.push([number, performance.now()]);
    }
  }).observe(document, { subtree: true, attributeFilter: ["data-drawn-event"] });
}

/** The toggle that was clicked last, once the charts have it. */
export async function drawnToggle(page: Page): Promise<Toggle> {
  const handle = await page.waitForFunction(() => {
    const { clicked_ms, command, answers, drawn_ms } = window.toggles ?? {};
    const answer = answers?.get(command ?? -1);
    if (!answer || clicked_ms === undefined) return null;
    const drawn = drawn_ms?.find(([number, at_ms]) => number >= answer.event && at_ms > clicked_ms);
    if (!drawn) return null;
    const { kernel_ms, event } = answer;
    return { kernel_ms, event, chart_ms: drawn[1] - clicked_ms };
  });
  return (await handle.jsonValue()) as Toggle;
}
