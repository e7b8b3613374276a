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
from collections.abc import Callable
from typing import Any

from aiortc import (
    RTCConfiguration,
    RTCDataChannel,
    RTCPeerConnection,
    RTCSessionDescription,
    rtcsctptransport,
)
from aiortc.sdp import SessionDescription

from thinlab.live.chunks import bound_chunks
from thinlab.live.datagrams import bound_datagrams
from thinlab.live.frame_rate import FrameRate
from thinlab.live.link import DATAGRAM_BYTES
from thinlab.live.transport import FRAME_LIMIT_BYTES, Transport
from thinlab.throttle.caller import NOBODY, Bounded, Caller
from thinlab.throttle.rate import Rate

log = logging.getLogger(__name__)

CHANNEL = "link"
# From the offer to the open channel, on any network that a session could be typed over.
OPENING_PATIENCE_S = 15.0
# Whatever is slow beneath a channel, a longer queue in it would be fed by the repeats of what waits
# in it. What waits in the link instead leaves with what is newer.
WAITING_LIMIT_BYTES = DATAGRAM_BYTES
# What a screen drawn anew takes at once.
LOST_LIMIT_BYTES = 8 * DATAGRAM_BYTES
# SCTP takes a loop that was late for a path that is long, and would then wait for up to a minute
# after a loss.
rtcsctptransport.SCTP_RTO_MAX = 5
CONNECTIONS_LIMIT = 400
# A page has one, and a few that are closing while the network comes and goes.
PARTICIPANT_CONNECTIONS_LIMIT = 8
# Each costs keys and a handshake. Who is told that there are no more takes the WebSocket.
OFFERS_A_SECOND, OFFERS_AT_ONCE = 10.0, 60.0
PARTICIPANT_OFFERS_A_SECOND, PARTICIPANT_OFFERS_AT_ONCE = 0.2, 30.0


class OfferError(Exception):
    """The offer is none that can be answered."""


class FullError(Exception):
    """Too many connections are open."""


def without_addresses(offer: str) -> str:
    """An offer of one data channel, naming nobody's address. Raises `OfferError`.

    What takes the addresses out is the parser that aiortc reads a description
    with: another's idea of where a line ends would let some through.
    """
    try:
        description = SessionDescription.parse(offer)
        for medium in description.media:
            medium.ice_candidates = []
            # That there are no more of them would be the end where there are none.
            medium.ice_candidates_complete = False
        kinds = [medium.kind for medium in description.media]
        whole = str(description)
    # Whatever aiortc meets in a description that a stranger wrote.
    except Exception as error:
        # Its words may hold an address.
        log.info("an offer was not understood: %s", type(error).__name__)
        raise OfferError from error
    if kinds != ["application"]:
        raise OfferError
    return whole


def carried_by(channel: RTCDataChannel, close: Callable[[], None]) -> Transport:
    """A transport over a channel, which takes no more than it can send at once."""

    def send(text: str) -> None:
        # Who sends although it is full is not heard: the link repeats it, with what is newer.
        if channel.readyState == "open" and channel.bufferedAmount <= LOST_LIMIT_BYTES:
            channel.send(text)

    transport = Transport(
        "webrtc",
        send=send,
        close=close,
        is_full=lambda: channel.bufferedAmount > WAITING_LIMIT_BYTES,
    )
    channel.bufferedAmountLowThreshold = WAITING_LIMIT_BYTES
    channel.on("bufferedamountlow", transport.emptied)
    return transport


def _bound(peer: RTCPeerConnection) -> None:
    """Before anything has come to its ports."""
    if peer.sctp is None:
        raise LookupError("a connection for data without its transport")
    bound_datagrams(peer.sctp.transport.transport)
    bound_chunks(peer.sctp)


class Peers:
    """The open peer connections."""

    def __init__(self, welcome: Callable[[Transport], None]) -> None:
        self._welcome = welcome
        self._peers: dict[RTCPeerConnection, int] = {}
        """And whose they are."""
        self._closing: set[asyncio.Task[None]] = set()
        self._offers = Rate(OFFERS_A_SECOND, OFFERS_AT_ONCE)
        self._offers_of = Bounded[Rate](
            lambda: Rate(PARTICIPANT_OFFERS_A_SECOND, PARTICIPANT_OFFERS_AT_ONCE)
        )
        # They tell addresses of participants, which nobody is to keep.
        for name in ("aioice", "aiortc"):
            logging.getLogger(name).setLevel(logging.CRITICAL)

    @property
    def open(self) -> int:
        """How many there are."""
        return len(self._peers)

    async def answer(self, offer: str, participant_id: int, caller: Caller = NOBODY) -> str:
        """The answer to a page's offer. Raises `OfferError`, `FullError`."""
        now_s = asyncio.get_running_loop().time()
        if not self._offers_of[participant_id].allows(now_s) or not self._offers.allows(now_s):
            raise FullError
        mine = list(self._peers.values()).count(participant_id)
        if len(self._peers) >= CONNECTIONS_LIMIT or mine >= PARTICIPANT_CONNECTIONS_LIMIT:
            raise FullError
        nameless = without_addresses(offer)
        peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self._peers[peer] = participant_id
        try:
            self._prepare(peer, caller)
            await peer.setRemoteDescription(RTCSessionDescription(nameless, "offer"))
            await peer.setLocalDescription(await peer.createAnswer())
            _bound(peer)
        # Whatever aiortc meets in a description that a stranger wrote.
        except Exception as error:
            # Its words may hold an address.
            log.info("an offer was not understood: %s", type(error).__name__)
            await self._close(peer)
            raise OfferError from error
        return str(peer.localDescription.sdp)

    def _prepare(self, peer: RTCPeerConnection, caller: Caller) -> None:
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
            self._carry(peer, channel, caller)

        @peer.on("connectionstatechange")
        def changed() -> None:
            if peer.connectionState in {"failed", "closed"}:
                late.cancel()
                self._drop(peer)

    def _carry(
        self, peer: RTCPeerConnection, channel: RTCDataChannel, caller: Caller = NOBODY
    ) -> None:
        transport = carried_by(channel, close=lambda: self._drop(peer))
        transport.caller = caller
        rate = FrameRate()

        @channel.on("message")
        def arrived(text: str | bytes) -> None:
            wrong = isinstance(text, bytes) or len(text) > FRAME_LIMIT_BYTES
            if wrong or not rate.allows(len(text)):
                transport.close()
            else:
                transport.arrived(str(text))

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


def quiet_about_closed_channels(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A loop's exception handler: aiortc's own tasks say at length that a peer has closed."""
    if not isinstance(context.get("exception"), ConnectionError):
        loop.default_exception_handler(context)
