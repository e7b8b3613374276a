"""The presenter's microphone, from a real peer connection to pieces for the agent."""

import asyncio
import fractions
import math
import struct
from collections.abc import AsyncIterator, Callable

import numpy as np
import pytest
import pytest_asyncio
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from av import AudioFrame, CodecContext

from thinlab.demo.audio_peer import OfferError
from thinlab.demo.microphone import Microphone, MicrophoneStream

PATIENCE_S = 30.0
LOUD = 12_000


def tone(first: int, samples: int, hertz: float) -> bytes:
    values = (
        round(LOUD * math.sin(2 * math.pi * hertz * n / 48_000))
        for n in range(first, first + samples)
    )
    return struct.pack(f"<{samples}h", *values)


def frame(first: int, samples: int, hertz: float) -> AudioFrame:
    made = AudioFrame(format="s16", layout="mono", samples=samples)
    made.planes[0].update(tone(first, samples, hertz))
    made.sample_rate, made.pts, made.time_base = 48_000, first, fractions.Fraction(1, 48_000)
    return made


def pitch_hertz(pcm: bytes) -> float:
    """The strongest frequency."""
    spectrum = np.abs(np.fft.rfft(np.frombuffer(pcm, "<i2") * np.hanning(len(pcm) // 2)))
    return float(np.argmax(spectrum)) * 48_000 / (len(pcm) // 2)


class Tone(MediaStreamTrack):
    """A voice of one note."""

    kind = "audio"

    def __init__(self, hertz: float) -> None:
        super().__init__()
        self._hertz = hertz
        self._first = 0

    async def recv(self) -> AudioFrame:
        await asyncio.sleep(0.02)
        made = frame(self._first, 960, self._hertz)
        self._first += 960
        return made


class Stage:
    """A microphone's way, and what comes out of it."""

    def __init__(self) -> None:
        self.pieces: list[bytes] = []
        self.told: list[bool] = []
        self.microphone = Microphone(self.pieces.append, self.told.append)
        self.pages: list[RTCPeerConnection] = []

    async def speak(self, hertz: float) -> RTCPeerConnection:
        page = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self.pages.append(page)
        page.addTrack(Tone(hertz))
        page.getTransceivers()[0].direction = "sendonly"
        await page.setLocalDescription(await page.createOffer())
        answer = await self.microphone.answer(page.localDescription.sdp)
        await page.setRemoteDescription(RTCSessionDescription(answer, "answer"))
        return page

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                await asyncio.sleep(0.01)

    def lately_hertz(self) -> float:
        return pitch_hertz(b"".join(self.pieces[-10:]))


@pytest_asyncio.fixture
async def stage() -> AsyncIterator[Stage]:
    stage = Stage()
    yield stage
    for page in stage.pages:
        await page.close()
    await stage.microphone.close()


async def test_a_voice_comes_in_pieces_of_20_ms(stage: Stage) -> None:
    page = await stage.speak(500)
    await stage.until(lambda: len(stage.pieces) >= 20)
    assert {len(piece) for piece in stage.pieces} == {1_920}
    assert stage.lately_hertz() == pytest.approx(500, abs=10)
    assert stage.microphone.live
    await page.close()
    await stage.until(lambda: not stage.microphone.live)
    assert stage.told == [True, False]


async def test_a_second_microphone_replaces_the_first(stage: Stage) -> None:
    first = await stage.speak(500)
    await stage.until(lambda: len(stage.pieces) >= 10)
    await stage.speak(1_500)
    await stage.until(lambda: first.connectionState == "closed")
    stage.pieces.clear()
    await stage.until(lambda: len(stage.pieces) >= 15)
    assert stage.lately_hertz() == pytest.approx(1_500, abs=10)
    assert stage.microphone.live
    assert stage.told[-1]


async def test_a_second_microphone_that_never_comes_replaces_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await stage.speak(500)
    await stage.until(lambda: stage.microphone.live)
    monkeypatch.setattr("thinlab.demo.audio_peer.OPENING_PATIENCE_S", 0.1)
    await stage.microphone.answer(first.localDescription.sdp)
    await stage.until(lambda: len(stage.microphone._peers) == 1)
    assert first.connectionState == "connected"
    assert stage.told == [True]


async def test_an_offer_to_listen_is_none_to_speak(stage: Stage) -> None:
    page = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    page.addTransceiver("audio", "recvonly")
    await page.setLocalDescription(await page.createOffer())
    with pytest.raises(OfferError):
        await stage.microphone.answer(page.localDescription.sdp)
    await page.close()


def packets(count: int) -> list[bytes]:
    """A tone's Opus packets of 20 ms."""
    encoder = CodecContext.create("libopus", "w")
    encoder.format, encoder.layout, encoder.sample_rate = "s16", "mono", 48_000
    encoder.time_base = fractions.Fraction(1, 48_000)
    return [
        bytes(packet) for n in range(count) for packet in encoder.encode(frame(960 * n, 960, 500))
    ]


def heard_of(order: list[int]) -> list[bytes]:
    """The pieces, where just these packets come, in this order."""
    pieces: list[bytes] = []
    stream = MicrophoneStream(pieces.append, lambda: None)
    opus = packets(max(order) + 1)
    # The timestamps wrap under way.
    begin = 2**32 - 3 * 960
    for n in order:
        stream.take((begin + 960 * n) % 2**32, opus[n])
    return pieces


def silent(piece: bytes) -> bool:
    return not any(piece)


async def test_each_packet_is_handed_on_when_it_comes() -> None:
    pieces: list[bytes] = []
    stream = MicrophoneStream(pieces.append, lambda: None)
    for n, opus in enumerate(packets(10)):
        stream.take(960 * n, opus)
        assert len(pieces) == n + 1


async def test_a_lost_packet_is_silence_of_its_length() -> None:
    pieces = heard_of([0, 1, 2, 3, 4, 6, 7])
    assert [silent(piece) for piece in pieces[1:]] == [False] * 4 + [True] + [False] * 2


async def test_a_packet_that_comes_too_late_is_left_out() -> None:
    assert len(heard_of([0, 1, 2, 4, 3, 5])) == 6


async def test_a_long_pause_is_not_filled() -> None:
    assert len(heard_of([0, 1, 60, 61])) == 4


async def test_rubbish_instead_of_opus_is_left_out() -> None:
    pieces: list[bytes] = []
    stream = MicrophoneStream(pieces.append, lambda: None)
    stream.take(0, packets(1)[0])
    stream.take(960, b"\xff" * 3)
    stream.take(1_920, packets(3)[2])
    assert len(pieces) == 3
