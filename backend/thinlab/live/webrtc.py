"""A link over a WebRTC data channel: unordered, nothing sent twice but by the link itself.

The least delay that a browser offers: where a datagram is lost, the next one
is not kept waiting for it, and brings what was in it. No server is asked for
addresses, which takes about a second. The page's address is found as the
browser sends to ours; addresses that an offer names are never sent to, for
they could be anybody's: a machine of our own network, or a victim.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import re
from collections.abc import Callable

from aiortc import (
    RTCConfiguration,
    RTCDataChannel,
    RTCPeerConnection,
    RTCSessionDescription,
)

from thinlab.live.link import DATAGRAM_BYTES
from thinlab.live.transport import FRAME_LIMIT_BYTES, Transport

log = logging.getLogger(__name__)

CHANNEL = "link"
# From the offer to the open channel, on any network that a session could be typed over.
OPENING_PATIENCE_S = 15.0
# What a screen drawn anew takes. Whatever is slow beneath a channel, a longer queue in it would be
# fed by the repeats of what waits in it.
WAITING_LIMIT_BYTES = 8 * DATAGRAM_BYTES
CONNECTIONS_LIMIT = 400
# A page has one, and a few that are closing while the network comes and goes.
PARTICIPANT_CONNECTIONS_LIMIT = 8
# That there are no more of them would be the end where there are none.
NAMED_ADDRESSES = re.compile(r"^a=(?:candidate:|end-of-candidates).*\r?\n?", re.MULTILINE)


class OfferError(Exception):
    """The offer is none that can be answered."""


class FullError(Exception):
    """Too many connections are open."""


class Peers:
    """The open peer connections."""

    def __init__(self, welcome: Callable[[Transport], None]) -> None:
        self._welcome = welcome
        self._peers: dict[RTCPeerConnection, int] = {}
        """And whose they are."""
        self._closing: set[asyncio.Task[None]] = set()
        # They tell addresses of participants, which nobody is to keep.
        for name in ("aioice", "aiortc"):
            logging.getLogger(name).setLevel(logging.CRITICAL)

    @property
    def open(self) -> int:
        """How many there are."""
        return len(self._peers)

    async def answer(self, offer: str, participant_id: int) -> str:
        """The answer to a page's offer. Raises `OfferError`, `FullError`."""
        mine = list(self._peers.values()).count(participant_id)
        if len(self._peers) >= CONNECTIONS_LIMIT or mine >= PARTICIPANT_CONNECTIONS_LIMIT:
            raise FullError
        if "m=application" not in offer or "m=audio" in offer or "m=video" in offer:
            raise OfferError
        peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self._peers[peer] = participant_id
        try:
            self._prepare(peer)
            await peer.setRemoteDescription(
                RTCSessionDescription(NAMED_ADDRESSES.sub("", offer), "offer")
            )
            await peer.setLocalDescription(await peer.createAnswer())
        # Whatever aiortc meets in a description that a stranger wrote.
        except Exception as error:
            # Its words may hold an address.
            log.info("an offer was not understood: %s", type(error).__name__)
            await self._close(peer)
            raise OfferError from error
        return str(peer.localDescription.sdp)

    def _prepare(self, peer: RTCPeerConnection) -> None:
        loop = asyncio.get_running_loop()
        late = loop.call_later(OPENING_PATIENCE_S, self._drop, peer)
        carried = False

        @peer.on("datachannel")
        def opened(channel: RTCDataChannel) -> None:
            nonlocal carried
            late.cancel()
            if channel.label != CHANNEL or carried:
                self._drop(peer)
                return
            carried = True
            self._carry(peer, channel)

        @peer.on("connectionstatechange")
        def changed() -> None:
            if peer.connectionState in {"failed", "closed"}:
                late.cancel()
                self._drop(peer)

    def _carry(self, peer: RTCPeerConnection, channel: RTCDataChannel) -> None:
        def send(text: str) -> None:
            # What would wait here is lost instead: the link repeats it, with what is newer.
            if channel.readyState == "open" and channel.bufferedAmount <= WAITING_LIMIT_BYTES:
                channel.send(text)

        transport = Transport("webrtc", send=send, close=lambda: self._drop(peer))

        @channel.on("message")
        def arrived(text: str | bytes) -> None:
            if isinstance(text, bytes) or len(text) > FRAME_LIMIT_BYTES:
                transport.close()
            else:
                transport.arrived(text)

        @channel.on("close")
        def closed() -> None:
            transport.ended()
            self._drop(peer)

        @peer.on("connectionstatechange")
        def changed() -> None:
            if peer.connectionState in {"failed", "closed"}:
                transport.ended()

        self._welcome(transport)

    def _drop(self, peer: RTCPeerConnection) -> None:
        if self._peers.pop(peer, None) is not None:
            task = asyncio.create_task(self._close(peer))
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)

    async def _close(self, peer: RTCPeerConnection) -> None:
        self._peers.pop(peer, None)
        await peer.close()

    async def close(self) -> None:
        """Closes all of them."""
        for peer in list(self._peers):
            self._drop(peer)
        await asyncio.gather(*self._closing, return_exceptions=True)
