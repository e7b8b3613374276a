"""A page that listens, without ears: it keeps the packets as they come.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from aiortc import (
    RTCConfiguration,
    RTCPeerConnection,
    RTCRtpReceiver,
    RTCSessionDescription,
)
from aiortc.rtp import RtcpSrPacket, RtpPacket

PATIENCE_S = 30.0
Offer = Callable[[str], Awaitable[str]]
"""Hands an offer to the server, and returns its answer."""


@dataclass(frozen=True)
class Heard:
    """A packet, and when it came."""

    at_ns: int
    packet: RtpPacket


class ListeningBot:
    """One page's stream. Packets are counted and timed, not decoded."""

    def __init__(self, offer: Offer, heard: Callable[[Heard], None] | None = None) -> None:
        self._offer = offer
        self.heard: list[Heard] = []
        self.reports: list[RtcpSrPacket] = []
        self.changed = asyncio.Condition()
        self._told = heard
        self.offered = ""
        self.answered = ""
        self.peer = RTCPeerConnection(RTCConfiguration(iceServers=[]))

    async def join(self, spoil: Callable[[str], str] = lambda sdp: sdp) -> "ListeningBot":
        """Offers to listen. `spoil`: what is to be offered instead."""
        receiver: RTCRtpReceiver = self.peer.addTransceiver("audio", "recvonly").receiver
        # In place of its decoder.
        receiver._handle_rtp_packet = self._take  # type: ignore[method-assign]
        from_report = receiver._handle_rtcp_packet

        async def reported(packet: object) -> None:
            if isinstance(packet, RtcpSrPacket):
                self.reports.append(packet)
            await from_report(packet)  # type: ignore[arg-type]

        receiver._handle_rtcp_packet = reported  # type: ignore[method-assign]
        await self.peer.setLocalDescription(await self.peer.createOffer())
        self.offered = spoil(self.peer.localDescription.sdp)
        self.answered = await self._offer(self.offered)
        await self.peer.setRemoteDescription(RTCSessionDescription(self.answered, "answer"))
        return self

    async def _take(self, packet: RtpPacket, arrival_time_ms: int) -> None:
        del arrival_time_ms
        heard = Heard(time.time_ns(), packet)
        if self._told is not None:
            self._told(heard)
            return
        self.heard.append(heard)
        async with self.changed:
            self.changed.notify_all()

    async def until(self, holds: Callable[["ListeningBot"], bool]) -> None:
        """Waits for a condition over what came."""
        async with asyncio.timeout(PATIENCE_S), self.changed:
            await self.changed.wait_for(lambda: holds(self))

    async def leave(self) -> None:
        """The page is closed."""
        await self.peer.close()
