"""One stream of sound between a page and the server: an offer, ICE, DTLS, and Opus over SRTP.

Made of aiortc's transports and not of its `RTCPeerConnection`, whose senders
encode, or at least wake a task, once a packet and listener, and whose receivers
hold 80 ms back. No server is asked for addresses, and those that an offer names
are never sent to: the page is found where it sends from.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from aiortc import (
    RTCCertificate,
    RTCDtlsParameters,
    RTCDtlsTransport,
    RTCIceGatherer,
    RTCIceParameters,
    RTCIceTransport,
    RTCRtpCodecParameters,
)
from aiortc.sdp import (
    GroupDescription,
    MediaDescription,
    SessionDescription,
    SsrcDescription,
)

from thinlab.live.datagrams import bound_datagrams

log = logging.getLogger(__name__)

# From the answer to the open transport, on any network that could be listened over.
OPENING_PATIENCE_S = 15.0
# RFC 8840, 4.1.1: where no candidate is known, the address is this one.
NOWHERE = ("0.0.0.0", 9)  # noqa: S104 (nobody listens there)
SRTP_PROFILE = "UDP/TLS/RTP/SAVPF"

Way = Literal["to the page", "from the page"]
DIRECTIONS: dict[Way, str] = {"to the page": "sendonly", "from the page": "recvonly"}


class OfferError(Exception):
    """The offer is none that can be answered."""


class FullError(Exception):
    """Too many streams are open."""


class Carried(Protocol):
    """What a peer carries."""

    ssrc: int

    def begin(self, transport: RTCDtlsTransport, offered: "Offered") -> None:
        """The transport is open."""


@dataclass(frozen=True)
class Offered:
    """What counts of an offer."""

    mid: str
    opus: int
    """The payload type."""
    ice: RTCIceParameters
    dtls: RTCDtlsParameters

    @classmethod
    def read(cls, offer: str, way: Way) -> "Offered":
        """Of one stream of Opus, in that direction. Raises `OfferError`."""
        try:
            sections = SessionDescription.parse(offer).media
        # Whatever aiortc meets in a description that a stranger wrote.
        except Exception as error:
            # Its words may hold an address.
            log.info("an offer was not understood: %s", type(error).__name__)
            raise OfferError from error
        wanted = {"sendrecv", "recvonly" if way == "to the page" else "sendonly"}
        if len(sections) != 1 or sections[0].kind != "audio":
            raise OfferError
        (audio,) = sections
        opus = [
            codec
            for codec in audio.rtp.codecs
            if codec.mimeType.lower() == "audio/opus" and codec.payloadType in audio.fmt
        ]
        if not opus or opus[0].payloadType is None or audio.direction not in wanted:
            raise OfferError
        if not (audio.rtp.muxId and audio.rtcp_mux):
            raise OfferError
        if audio.ice is None or not (audio.ice.usernameFragment and audio.ice.password):
            raise OfferError
        # We begin the handshake; a page that would can also wait for it.
        if audio.dtls is None or audio.dtls.role == "client" or not audio.dtls.fingerprints:
            raise OfferError
        return cls(audio.rtp.muxId, opus[0].payloadType, audio.ice, audio.dtls)


class AudioPeer:
    """The transport of one stream, from its offer to its end."""

    def __init__(
        self,
        way: Way,
        carried: Carried,
        certificate: RTCCertificate,
        ended: Callable[["AudioPeer"], None],
    ) -> None:
        self.carried = carried
        self._way: Way = way
        self._ended = ended
        self._ice = RTCIceTransport(RTCIceGatherer(iceServers=[]))
        self._dtls = RTCDtlsTransport(self._ice, [certificate])
        self._dtls.on("statechange", self._changed)
        self._opening: asyncio.Task[None] | None = None
        self._closing: asyncio.Task[None] | None = None

    async def answer(self, offer: str, opus: dict[str, int | str | None]) -> str:
        """The answer to an offer. `opus`: how the page is to encode. Raises `OfferError`."""
        offered = Offered.read(offer, self._way)
        await self._ice.iceGatherer.gather()
        bound_datagrams(self._ice)
        self._opening = asyncio.create_task(self._open(offered))
        return str(self._description(offered, opus))

    def _description(
        self, offered: Offered, opus: dict[str, int | str | None]
    ) -> SessionDescription:
        gatherer = self._ice.iceGatherer
        media = MediaDescription("audio", NOWHERE[1], SRTP_PROFILE, [offered.opus])
        media.host = NOWHERE[0]
        media.direction = DIRECTIONS[self._way]
        media.rtp.muxId = offered.mid
        media.rtp.codecs = [
            RTCRtpCodecParameters(
                mimeType="audio/opus",
                clockRate=48_000,
                channels=2,
                payloadType=offered.opus,
                parameters=opus,
            )
        ]
        media.rtcp_host, media.rtcp_port, media.rtcp_mux = *NOWHERE, True
        # Names that nothing can be read from.
        name = secrets.token_hex(8)
        media.msid = f"{name} {name}"
        media.ssrc = [SsrcDescription(ssrc=self.carried.ssrc, cname=name)]
        media.ice = gatherer.getLocalParameters()
        media.ice_candidates = gatherer.getLocalCandidates()
        media.ice_candidates_complete = True
        media.dtls = RTCDtlsParameters(self._dtls.getLocalParameters().fingerprints, "client")
        whole = SessionDescription()
        whole.origin = f"- {secrets.randbits(62)} 1 IN IP4 {NOWHERE[0]}"
        whole.group = [GroupDescription("BUNDLE", [offered.mid])]
        whole.msid_semantic = [GroupDescription("WMS", ["*"])]
        whole.media = [media]
        return whole

    async def _open(self, offered: Offered) -> None:
        try:
            async with asyncio.timeout(OPENING_PATIENCE_S):
                await self._ice.start(offered.ice)
                if self._ice.state == "completed":
                    await self._dtls.start(offered.dtls)
        except TimeoutError:
            pass
        if self._dtls.state == "connected":
            self.carried.begin(self._dtls, offered)
        else:
            self.close()

    @property
    def open(self) -> bool:
        """Whether sound can go over it."""
        return bool(self._dtls.state == "connected")

    def _changed(self) -> None:
        if self._dtls.state in {"failed", "closed"}:
            self.close()

    def close(self) -> None:
        """Ends it; who made it is told, once."""
        if self._closing is None:
            self._closing = asyncio.create_task(self._close())
            self._ended(self)

    async def _close(self) -> None:
        if self._opening is not None and self._opening is not asyncio.current_task():
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        await self._dtls.stop()
        await self._ice.stop()

    async def closed(self) -> None:
        """Closes it, and waits until it is."""
        self.close()
        if self._closing is not None:
            await asyncio.shield(self._closing)
