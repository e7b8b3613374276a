// What goes over a typing session's link, written down inside the page: each frame as
// the browser got it, over a data channel or a WebSocket.
// SPDX-License-Identifier: Apache-2.0
import type { Page } from "@playwright/test";
import type { ServerFrame } from "../src/api/generated.ts";

declare global {
  interface Window {
    /** Frames since they were last taken, as text. */
    linkFrames?: { readonly got: string[]; readonly sent: string[] };
  }
}

/** Runs in the page before any script of it. */
export function noteFrames(): void {
  const frames = { got: [] as string[], sent: [] as string[] };
  window.linkFrames = frames;
  const note = (link: RTCDataChannel | WebSocket) => {
    link.addEventListener("message", (event) =>
      frames.got.push(String((event as MessageEvent).data)),
    );
    const send = link.send.bind(link);
    link.send = (data: unknown) => {
      frames.sent.push(String(data));
      send(data as string);
    };
  };
  const create = RTCPeerConnection.prototype.createDataChannel;
  RTCPeerConnection.prototype.createDataChannel = function (...given) {
    const channel = create.apply(this, given);
    note(channel);
    return channel;
  };
  const Socket = WebSocket;
  window.WebSocket = class extends Socket {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      note(this);
    }
  };
}

/** What the page got since this was last asked. */
export function gotFrames(page: Page): Promise<string[]> {
  return page.evaluate(() => window.linkFrames?.got.splice(0) ?? []);
}

type Message = ServerFrame["messages"] extends infer All | undefined
  ? All extends readonly (infer One)[]
    ? One
    : never
  : never;

/** One session as its page saw it: what can be told apart without looking at a clock. */
export interface TypedSession {
  readonly position: number;
  readonly member: "first" | "second";
  readonly frames: readonly string[];
  /** Names in their order, each form once. */
  readonly forms: readonly string[];
  readonly openings: readonly string[];
  readonly stages: readonly string[];
  /** Before the first key: what the terminal wrote, piece by piece. */
  readonly beforeKeys: readonly string[];
  readonly written: string;
}

/** Puts a session together from its frames, whatever came twice. */
export function sessionOf(
  position: number,
  member: TypedSession["member"],
  frames: readonly string[],
): TypedSession {
  const forms = new Set<string>();
  const openings = new Set<string>();
  const messages = new Map<number, Message>();
  const names = (what: string, value: object) => forms.add(`${what}: ${Object.keys(value)}`);
  for (const text of frames) {
    const { opening, probe, ...frame } = JSON.parse(text) as ServerFrame;
    names("frame", frame);
    if (opening) openings.add(JSON.stringify(opening));
    if (probe) names("probe", probe);
    (frame.messages ?? []).forEach((message, place) => {
      names(message.type, message);
      messages.set(frame.first + place, message);
    });
  }
  const inOrder = [...messages.keys()]
    .sort((one, other) => one - other)
    .map((number) => messages.get(number) as Message);
  const screens = inOrder.filter((message) => message.type === "screen");
  return {
    position,
    member,
    frames,
    forms: [...forms].sort(),
    openings: [...openings].sort(),
    stages: inOrder.filter(({ type }) => type !== "screen").map((one) => JSON.stringify(one)),
    beforeKeys: screens.filter(({ answers_key }) => !answers_key).map(({ data }) => data),
    written: screens.map(({ data }) => data).join(""),
  };
}
