"""Sound that is encoded already, as an RTP stream over a peer's SRTP.

SPDX-License-Identifier: Apache-2.0
"""

import secrets
import struct
import time
from dataclasses import dataclass

from aiortc import RTCDtlsTransport
from aiortc.clock import current_ntp_time
from aiortc.rtcrtpparameters import RTCRtpSendParameters
from aiortc.rtp import AnyRtcpPacket, RtcpRrPacket, RtcpSenderInfo, RtcpSrPacket

from thinlab.demo.audio_peer import Offered

SAMPLES_PER_S = 48_000
SAMPLES_PER_PACKET = 960
HEADER = struct.Struct("!BBHLL")
VERSION_2 = 0x80
MARKER = 0x80
WORD = 0xFFFFFFFF


class Timeline:
    """RTP timestamps that everybody shares, through takes whose numbers begin anew.

    From packet to packet they rise by 960, over a hole by as much as time went by.
    """

    def __init__(self) -> None:
        # RFC 3550, 5.1: not to be guessed.
        self._next = secrets.randbits(32)
        self._number: int | None = None
        self._at_ns = 0
        self._known: tuple[int, float] | None = None

    def place(self, number: int, at_ns: int) -> tuple[int, bool]:
        """A packet's timestamp, and whether it is the first after a hole."""
        begins = self._number is None or number != self._number + 1
        if begins and self._number is not None:
            since_ns = at_ns - self._at_ns
            away = round(since_ns * SAMPLES_PER_S / 1_000_000_000) - SAMPLES_PER_PACKET
            self._next = (self._next + max(away, 0)) & WORD
        timestamp = self._next
        self._number, self._at_ns = number, at_ns
        self._next = (timestamp + SAMPLES_PER_PACKET) & WORD
        self._known = timestamp, time.monotonic()
        return timestamp, begins

    def now(self) -> int | None:
        """The timestamp of this moment; none before the first packet."""
        if self._known is None:
            return None
        timestamp, at_s = self._known
        return (timestamp + round((time.monotonic() - at_s) * SAMPLES_PER_S)) & WORD


@dataclass(frozen=True)
class Reception:
    """What a page says of the stream."""

    lost_share: float
    """Since it said so last."""
    jitter_ms: float


class RtpStream:
    """One listener's stream."""

    def __init__(self) -> None:
        self.ssrc = secrets.randbits(32)
        self._ssrc = self.ssrc
        """By this name aiortc's transport asks for it."""
        self.reception: Reception | None = None
        # In the lower half: SRTP cannot tell a wrap among the first packets (aiortc says so too).
        self._sequence = secrets.randbits(15)
        self._payload_type = 0
        self._transport: RTCDtlsTransport | None = None
        self._packets = 0
        self._octets = 0

    def begin(self, transport: RTCDtlsTransport, offered: Offered) -> None:
        """Sound can go."""
        self._payload_type = offered.opus
        self._transport = transport
        # So that the page's reports come here.
        transport._register_rtp_sender(self, RTCRtpSendParameters())  # noqa: SLF001

    async def send(self, timestamp: int, opus: bytes, *, first: bool) -> None:
        """Sends a packet at once: nothing here waits."""
        if self._transport is None:
            return
        kind = self._payload_type | MARKER if first else self._payload_type
        header = HEADER.pack(VERSION_2, kind, self._sequence, timestamp, self.ssrc)
        self._sequence = (self._sequence + 1) & 0xFFFF
        self._packets += 1
        self._octets += len(opus)
        await self._hand_over(header + opus)

    async def report(self, timestamp: int) -> None:
        """Tells the page what this moment's timestamp is, and how much was sent."""
        sent = RtcpSenderInfo(
            ntp_timestamp=current_ntp_time(),
            rtp_timestamp=timestamp,
            packet_count=self._packets & WORD,
            octet_count=self._octets & WORD,
        )
        await self._hand_over(bytes(RtcpSrPacket(ssrc=self.ssrc, sender_info=sent)))

    async def _hand_over(self, packet: bytes) -> None:
        if self._transport is None:
            return
        try:
            await self._transport._send_rtp(packet)  # noqa: SLF001 (aiortc's way for senders)
        except (OSError, RuntimeError):
            # It closes at this moment, of which its peer is told by other ways, or its socket has
            # (uvloop's word for that is a RuntimeError). Others shall hear all the same.
            self._transport = None

    async def _handle_rtcp_packet(self, packet: AnyRtcpPacket) -> None:
        """By this name aiortc's transport hands on what the page reports."""
        if isinstance(packet, RtcpRrPacket):
            for one in packet.reports:
                if one.ssrc == self.ssrc:
                    jitter_ms = one.jitter * 1000 / SAMPLES_PER_S
                    self.reception = Reception(one.fraction_lost / 256, jitter_ms)
