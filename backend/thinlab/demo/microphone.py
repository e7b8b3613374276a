"""The presenter's microphone: sound from a page, in pieces for the agent.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable

from aiortc import RTCCertificate, RTCDtlsTransport
from aiortc.rtcrtpparameters import RTCRtpCodecParameters, RTCRtpReceiveParameters
from aiortc.rtcrtpreceiver import StreamStatistics
from aiortc.rtp import AnyRtcpPacket, RtcpReceiverInfo, RtcpRrPacket, RtcpSrPacket, RtpPacket
from av import CodecContext, Packet
from av.error import FFmpegError

from thinlab.demo.audio_peer import AudioPeer, Offered
from thinlab.demo.rtp_stream import SAMPLES_PER_PACKET, SAMPLES_PER_S

log = logging.getLogger(__name__)

PIECE_BYTES = 2 * SAMPLES_PER_PACKET
# For a longer hole the agent puts its own silence.
MOST_FILLED_SAMPLES = 5 * SAMPLES_PER_PACKET
HALF = 1 << 31
# What a voice needs; redundancy for losses is left out, as it is not made use of.
OPUS: dict[str, int | str | None] = {
    "stereo": 0,
    "useinbandfec": 0,
    "usedtx": 0,
    "maxaveragebitrate": 64_000,
}
REPORT_EVERY_S = 1.0

Sink = Callable[[bytes], None]
"""Takes 20 ms of 48 kHz mono s16le."""


class MicrophoneStream:
    """One microphone's packets, decoded as they come: nothing waits for what may be missing."""

    def __init__(self, sink: Sink, begun: Callable[[], None]) -> None:
        self.ssrc = secrets.randbits(32)
        self._sink = sink
        self._begun = begun
        self._decoder = CodecContext.create("libopus", "r")
        self._decoder.format = "s16"
        self._decoder.layout = "mono"
        self._decoder.sample_rate = SAMPLES_PER_S
        self._expected: int | None = None
        self._waiting = bytearray()
        self._statistics = StreamStatistics(SAMPLES_PER_S)
        self._source: int | None = None
        self._last_report: tuple[int, float] | None = None
        self._transport: RTCDtlsTransport | None = None
        self._reporting: asyncio.Task[None] | None = None

    def begin(self, transport: RTCDtlsTransport, offered: Offered) -> None:
        """Sound may come."""
        opus = RTCRtpCodecParameters("audio/opus", SAMPLES_PER_S, 2, offered.opus)
        parameters = RTCRtpReceiveParameters(codecs=[opus], muxId=offered.mid)
        transport._register_rtp_receiver(self, parameters)  # noqa: SLF001 (aiortc's way)
        self._transport = transport
        self._reporting = asyncio.create_task(self._report())
        self._begun()

    def end(self) -> None:
        """Nothing more is taken."""
        self._sink = lambda _: None
        if self._reporting is not None:
            self._reporting.cancel()

    def _handle_disconnect(self) -> None:
        """By this name aiortc's transport tells that it is gone; its peer is told, too."""

    async def _handle_rtcp_packet(self, packet: AnyRtcpPacket) -> None:
        if isinstance(packet, RtcpSrPacket):
            now_s = asyncio.get_running_loop().time()
            self._last_report = (packet.sender_info.ntp_timestamp >> 16) & 0xFFFFFFFF, now_s

    async def _handle_rtp_packet(self, packet: RtpPacket, arrival_time_ms: int) -> None:
        del arrival_time_ms
        self._source = packet.ssrc
        self._statistics.add(packet)
        if packet.payload:
            self.take(packet.timestamp, packet.payload)

    def take(self, timestamp: int, opus: bytes) -> None:
        """A packet came."""
        missing = 0
        if self._expected is not None:
            missing = (timestamp - self._expected + HALF) % (2 * HALF) - HALF
        if missing < 0:
            # What it would have said was filled with silence.
            return
        try:
            frames = self._decoder.decode(Packet(opus))
        except FFmpegError as error:
            log.info("a microphone's packet could not be decoded: %s", type(error).__name__)
            return
        heard = b"".join(bytes(frame.planes[0])[: 2 * frame.samples] for frame in frames)
        self._expected = (timestamp + len(heard) // 2) % (2 * HALF)
        if missing <= MOST_FILLED_SAMPLES:
            self._waiting += bytes(2 * missing)
        self._waiting += heard
        while len(self._waiting) >= PIECE_BYTES:
            self._sink(bytes(self._waiting[:PIECE_BYTES]))
            del self._waiting[:PIECE_BYTES]

    async def _report(self) -> None:
        while True:
            await asyncio.sleep(REPORT_EVERY_S * random.uniform(0.5, 1.5))  # noqa: S311 (RFC 3550, 6.2)
            if self._source is None or self._transport is None:
                continue
            lsr, since_s = 0, 0.0
            if self._last_report is not None:
                lsr, at_s = self._last_report
                since_s = asyncio.get_running_loop().time() - at_s
            found = RtcpReceiverInfo(
                ssrc=self._source,
                fraction_lost=self._statistics.fraction_lost,
                packets_lost=self._statistics.packets_lost,
                highest_sequence=self._statistics.max_seq or 0,
                jitter=self._statistics.jitter,
                lsr=lsr,
                dlsr=min(round(since_s * 65_536), 0xFFFFFFFF),
            )
            packet = RtcpRrPacket(ssrc=self.ssrc, reports=[found])
            try:
                await self._transport._send_rtp(bytes(packet))  # noqa: SLF001 (aiortc's way)
            except ConnectionError:
                return


class Microphone:
    """Whichever microphone was opened last."""

    def __init__(self, sink: Sink, changed: Callable[[bool], None]) -> None:
        """`changed` is told whenever there is one now, or none any more."""
        self._sink = sink
        self._changed = changed
        self._certificate = RTCCertificate.generateCertificate()
        self._peers: dict[AudioPeer, MicrophoneStream] = {}
        self._live: AudioPeer | None = None
        for name in ("aioice", "aiortc"):
            logging.getLogger(name).setLevel(logging.CRITICAL)

    @property
    def live(self) -> bool:
        """Whether one is open."""
        return self._live is not None

    async def answer(self, offer: str) -> str:
        """The answer to a page's offer to speak. Raises `OfferError`."""
        stream = MicrophoneStream(self._sink, lambda: self._begun(peer))
        peer = AudioPeer("from the page", stream, self._certificate, self._ended)
        self._peers[peer] = stream
        try:
            return await peer.answer(offer, OPUS)
        except BaseException:
            await peer.closed()
            raise

    def _begun(self, newest: AudioPeer) -> None:
        self._live = newest
        for peer in [one for one in self._peers if one is not newest]:
            peer.close()
        self._changed(True)

    def _ended(self, peer: AudioPeer) -> None:
        if (stream := self._peers.pop(peer, None)) is not None:
            stream.end()
        if peer is self._live:
            self._live = None
            self._changed(False)

    async def close(self) -> None:
        """Nobody speaks any more."""
        await asyncio.gather(*(peer.closed() for peer in list(self._peers)))
