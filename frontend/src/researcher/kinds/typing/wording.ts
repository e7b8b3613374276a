// The words for what happens to typing sessions.
// SPDX-License-Identifier: Apache-2.0
import type { TypingNow } from "../../../api/generated";

export const stages: Readonly<Record<TypingNow["stage"], string>> = {
  preparing: "Getting ready",
  ready: "Typing",
  ended: "Ended",
  void: "Void",
};

export const ends: Readonly<Record<string, string>> = {
  finished: "Finished by the participant",
  left: "Left the editor",
  limit: "Time was up",
};

export const voidReasons: Readonly<Record<string, string>> = {
  "link-away": "The participant’s network was away for too long",
  hidden: "The tab was hidden for too long",
  "host-lost": "The host was lost",
  "host-behind": "The machine was behind: a key waited for it",
  "taken-over": "Reloaded, or opened in another tab",
  "too-much": "Typed or shown beyond every bound",
  "too-few-keys": "Fewer keys than the task asks for",
  "begun-again": "Begun again",
  "too-long-ago": "The second session came too late after it",
  "server-restarted": "The server was stopped, and started again",
  broken: "Something failed",
};

export const transports: Readonly<Record<string, string>> = {
  webrtc: "WebRTC",
  "data-channel": "WebRTC",
  websocket: "WebSocket",
};
