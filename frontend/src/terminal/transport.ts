// What carries a link's frames: a WebRTC data channel that neither orders nor
// repeats, or, where UDP does not get through, a WebSocket.
// SPDX-License-Identifier: Apache-2.0

import { answered, api } from "../api/client";

/** As long as somebody may wait for a channel that may never open. */
const CHANNEL_PATIENCE_MS = 1_500;
const SOCKET_PATIENCE_MS = 5_000;

/** More that waits than a frame: the path is full. What waits in the link instead leaves with
 * what is newer; in a queue it would wait behind its own repeats. */
const MOST_WAITING_BYTES = 1_100;

export interface Transport {
  readonly kind: "lossy" | "reliable";
  readonly send: (text: string) => void;
  /** Whether what is sent now would wait behind what waits already. */
  readonly isFull: () => boolean;
  readonly close: () => void;
}

export interface Arrivals {
  readonly onText: (text: string) => void;
  /** It was full, and is no more. */
  readonly onRoom: () => void;
  /** Once, unless it was closed from here. */
  readonly onGone: () => void;
}

export type OpenTransport = (
  participant_token: string,
  arrivals: Arrivals,
  signal: AbortSignal,
) => Promise<Transport>;

/** Ways that have failed in this page; the next link need not wait for them again. */
const failed = new Set<OpenTransport>();

/** @throws when neither way leads to the server. */
export const openTransport: OpenTransport = async (participant_token, arrivals, signal) => {
  if (!failed.has(openChannel) && "RTCPeerConnection" in globalThis) {
    try {
      return await openChannel(participant_token, arrivals, signal);
    } catch {
      signal.throwIfAborted();
    }
  }
  const socket = await openSocket(participant_token, arrivals, signal);
  // The server is there, and only the channel to it is not.
  failed.add(openChannel);
  return socket;
};

/** Rejects when the time is over, or the signal says so, and closes what did not open. */
async function within(
  patience_ms: number,
  signal: AbortSignal,
  close: () => void,
  begin: (resolve: () => void, reject: (error: Error) => void) => void,
): Promise<void> {
  const opened = new Promise<void>((resolve, reject) => {
    const give = () => reject(new Error("It did not open."));
    const timer = setTimeout(give, patience_ms);
    signal.addEventListener("abort", give, { once: true });
    const settled = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", give);
    };
    begin(
      () => {
        settled();
        resolve();
      },
      (error) => {
        settled();
        reject(error);
      },
    );
  });
  try {
    await opened;
  } catch (error) {
    close();
    throw error;
  }
}

export const openChannel: OpenTransport = async (
  participant_token,
  { onText, onRoom, onGone },
  signal,
) => {
  const peer = new RTCPeerConnection({ iceServers: [] });
  const channel = peer.createDataChannel("link", { ordered: false, maxRetransmits: 0 });
  const closing = new AbortController();
  const listening = { signal: closing.signal };
  const close = () => {
    closing.abort();
    channel.close();
    peer.close();
  };
  await within(CHANNEL_PATIENCE_MS, signal, close, (resolve, reject) => {
    channel.addEventListener("open", resolve, listening);
    channel.addEventListener("error", () => reject(new Error("No channel.")), listening);
    agree(peer, participant_token).catch(reject);
  });
  const gone = () => {
    if (closing.signal.aborted) return;
    close();
    onGone();
  };
  channel.addEventListener("message", ({ data }) => onText(data as string), listening);
  channel.bufferedAmountLowThreshold = MOST_WAITING_BYTES;
  channel.addEventListener("bufferedamountlow", onRoom, listening);
  channel.addEventListener("close", gone, listening);
  peer.addEventListener(
    "connectionstatechange",
    () => {
      if (["failed", "closed"].includes(peer.connectionState)) gone();
    },
    listening,
  );
  return {
    kind: "lossy",
    send: (text) => channel.readyState === "open" && channel.send(text),
    isFull: () => channel.bufferedAmount > MOST_WAITING_BYTES,
    close,
  };
};

/** One offer, one answer. The server is where its answer says, and sees where we are by our
 * asking: no address of ours has to be gathered first. */
async function agree(peer: RTCPeerConnection, participant_token: string): Promise<void> {
  await peer.setLocalDescription();
  const { sdp } = peer.localDescription ?? {};
  if (!sdp) throw new Error("The browser offers nothing.");
  const answer = await answered(
    api.POST("/api/live/offer", {
      headers: { Authorization: `Bearer ${participant_token}` },
      body: { sdp },
      signal: AbortSignal.timeout(CHANNEL_PATIENCE_MS),
    }),
  );
  await peer.setRemoteDescription({ type: "answer", sdp: answer.sdp });
}

export const openSocket: OpenTransport = async (_, { onText, onGone }, signal) => {
  const address = new URL("/api/live/socket", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  const closing = new AbortController();
  const listening = { signal: closing.signal };
  const close = () => {
    closing.abort();
    socket.close();
  };
  await within(SOCKET_PATIENCE_MS, signal, close, (resolve, reject) => {
    socket.addEventListener("open", resolve, listening);
    socket.addEventListener("close", () => reject(new Error("No socket.")), listening);
  });
  socket.addEventListener("message", ({ data }) => onText(data as string), listening);
  socket.addEventListener(
    "close",
    () => {
      closing.abort();
      onGone();
    },
    listening,
  );
  return {
    kind: "reliable",
    send: (text) => socket.readyState === WebSocket.OPEN && socket.send(text),
    isFull: () => false,
    close,
  };
};
