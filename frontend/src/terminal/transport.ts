// What carries a link's frames: a WebRTC data channel that neither orders nor
// repeats, or, where UDP does not get through, a WebSocket.
// SPDX-License-Identifier: Apache-2.0

/** As long as somebody may wait for a channel that may never open. */
const CHANNEL_PATIENCE_MS = 1_500;
const SOCKET_PATIENCE_MS = 5_000;

export interface Transport {
  readonly kind: "lossy" | "reliable";
  readonly send: (text: string) => void;
  readonly close: () => void;
}

export interface Arrivals {
  readonly onText: (text: string) => void;
  /** Once, unless it was closed from here. */
  readonly onGone: () => void;
}

export type OpenTransport = (arrivals: Arrivals, signal: AbortSignal) => Promise<Transport>;

/** Ways that have failed in this page; the next link need not wait for them again. */
const failed = new Set<OpenTransport>();

/** @throws when neither way leads to the server. */
export const openTransport: OpenTransport = async (arrivals, signal) => {
  if (!failed.has(openChannel) && "RTCPeerConnection" in globalThis) {
    try {
      return await openChannel(arrivals, signal);
    } catch {
      signal.throwIfAborted();
    }
  }
  const socket = await openSocket(arrivals, signal);
  // The server is there, and only the channel to it is not.
  failed.add(openChannel);
  return socket;
};

/** Rejects when the time is over, or the signal says so. */
function within<T>(
  patience_ms: number,
  signal: AbortSignal,
  begin: (resolve: (value: T) => void, reject: (error: Error) => void) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const give = () => reject(new Error("It did not open."));
    const timer = setTimeout(give, patience_ms);
    signal.addEventListener("abort", give, { once: true });
    const settled = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", give);
    };
    begin(
      (value) => {
        settled();
        resolve(value);
      },
      (error) => {
        settled();
        reject(error);
      },
    );
  });
}

export const openChannel: OpenTransport = async ({ onText, onGone }, signal) => {
  const peer = new RTCPeerConnection({ iceServers: [] });
  const channel = peer.createDataChannel("link", { ordered: false, maxRetransmits: 0 });
  const closing = new AbortController();
  const listening = { signal: closing.signal };
  const close = () => {
    closing.abort();
    channel.close();
    peer.close();
  };
  try {
    await within<void>(CHANNEL_PATIENCE_MS, signal, (resolve, reject) => {
      channel.addEventListener("open", () => resolve(), listening);
      channel.addEventListener("error", () => reject(new Error("No channel.")), listening);
      agree(peer).catch(reject);
    });
  } catch (error) {
    close();
    throw error;
  }
  const gone = () => {
    if (closing.signal.aborted) return;
    close();
    onGone();
  };
  channel.addEventListener("message", ({ data }) => onText(data as string), listening);
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
    close,
  };
};

/** One offer with all addresses in it, one answer. */
async function agree(peer: RTCPeerConnection): Promise<void> {
  await peer.setLocalDescription();
  await gathered(peer);
  const { sdp } = peer.localDescription ?? {};
  if (!sdp) throw new Error("The browser offers nothing.");
  const answer = await fetch("/api/live/offer", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sdp }),
    signal: AbortSignal.timeout(CHANNEL_PATIENCE_MS),
  });
  if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
  const agreed = (await answer.json()) as { sdp: string };
  await peer.setRemoteDescription({ type: "answer", sdp: agreed.sdp });
}

function gathered(peer: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    const look = () => peer.iceGatheringState === "complete" && resolve();
    peer.addEventListener("icegatheringstatechange", look);
    look();
  });
}

export const openSocket: OpenTransport = async ({ onText, onGone }, signal) => {
  const address = new URL("/api/live/socket", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const socket = new WebSocket(address);
  const closing = new AbortController();
  const listening = { signal: closing.signal };
  const close = () => {
    closing.abort();
    socket.close();
  };
  try {
    await within<void>(SOCKET_PATIENCE_MS, signal, (resolve, reject) => {
      socket.addEventListener("open", () => resolve(), listening);
      socket.addEventListener("close", () => reject(new Error("No socket.")), listening);
    });
  } catch (error) {
    close();
    throw error;
  }
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
    close,
  };
};
