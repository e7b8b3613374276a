"""Sends SCTP that aiortc pays for with all that it keeps, or for ever.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import logging
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import islice
from types import SimpleNamespace
from typing import Any

import pytest
from aiortc import RTCPeerConnection, RTCSctpTransport
from aiortc.rtcsctptransport import (
    SCTP_DATA_FIRST_FRAG,
    SCTP_DATA_LAST_FRAG,
    SCTP_DATA_UNORDERED,
    WEBRTC_STRING,
    Chunk,
    DataChunk,
    ForwardTsnChunk,
    HeartbeatChunk,
    InitChunk,
    ReconfigChunk,
    SackChunk,
    serialize_packet,
)

from tests.live.conftest import Room, room
from tests.live.page import PATIENCE_S
from tests.live.test_hostile_page import calm, unharmed
from thinlab.live import chunks

__all__ = ["room"]
FEW = 20
# Together beyond what may be kept, and within what may come at once.
SENT = 29
NAMED = 200
WHOLE = SCTP_DATA_FIRST_FRAG | SCTP_DATA_LAST_FRAG | SCTP_DATA_UNORDERED
Packet = list[Chunk]


class _Together(Chunk):
    """Chunks as one, for what writes a packet of one."""

    def __init__(self, packet: Packet) -> None:
        super().__init__()
        self._packet = packet

    def __bytes__(self) -> bytes:
        return b"".join(bytes(chunk) for chunk in self._packet)


def _of(kind: int, body: bytes) -> Chunk:
    chunk = Chunk(body=body)
    chunk.type = kind
    return chunk


def _data(tsn: int, flags: int) -> DataChunk:
    chunk = DataChunk(flags)
    chunk.tsn, chunk.user_data, chunk.protocol = tsn % 2**32, b"x", WEBRTC_STRING
    return chunk


def _unended(sctp: RTCSctpTransport) -> Iterator[Packet]:
    at: int = sctp._local_tsn
    begins = SCTP_DATA_FIRST_FRAG | SCTP_DATA_UNORDERED
    while True:
        yield [_data(at + number, begins) for number in range(FEW)]
        at += FEW


def _after_a_gap(sctp: RTCSctpTransport) -> Iterator[Packet]:
    at: int = sctp._local_tsn
    while True:
        yield [_data(at + 1 + 2 * number, WHOLE) for number in range(FEW)]
        at += 2 * FEW


def _streams(sctp: RTCSctpTransport) -> Iterator[Packet]:
    at: int = sctp._local_tsn
    while True:
        chunk = ForwardTsnChunk()
        chunk.cumulative_tsn = at % 2**32
        chunk.streams = [((at + number) % 2**16, 0) for number in range(NAMED)]
        yield [chunk]
        at += NAMED


def _cut_off(sctp: RTCSctpTransport) -> Iterator[Packet]:
    del sctp
    while True:
        yield [_of(DataChunk.type, b"cut")]


ATTACKS: dict[str, Callable[[RTCSctpTransport], Iterator[Packet]]] = {
    "messages that never end": _unended,
    "numbers after a gap": _after_a_gap,
    "streams by their names": _streams,
    "chunks that are cut off": _cut_off,
}


def _kept(peers: list[RTCPeerConnection]) -> tuple[int, int, int]:
    """Fragments, numbers and streams, of the one connection of the server's."""
    (peer,) = peers
    sctp: Any = peer.sctp
    streams = sctp._inbound_streams.values()
    fragments = sum(len(stream.reassembly) for stream in streams)
    return fragments, len(sctp._sack_misordered), len(streams)


async def _send(peer: RTCPeerConnection, packet: Packet) -> None:
    sctp: Any = peer.sctp
    ports = sctp._local_port, sctp._remote_port, sctp._remote_verification_tag
    await sctp.transport._send_data(serialize_packet(*ports, _Together(packet)))


@pytest.mark.parametrize("attack", ATTACKS)
async def test_who_makes_a_channel_dear_loses_it_and_nobody_else(
    attack: str, room: Room, caplog: pytest.LogCaptureFixture
) -> None:
    victim = await calm(room)
    page = await room.ready_page(over="channel")
    (peer,) = page.peers
    servers = list(room.services.live.peers._peers)
    assert peer.sctp
    packets = ATTACKS[attack](peer.sctp)
    caplog.set_level(logging.WARNING)
    with suppress(ConnectionError):
        # So few that the loop is not held where they are taken.
        for packet in islice(packets, SENT):
            await _send(peer, packet)
    async with asyncio.timeout(PATIENCE_S):
        while room.services.live.peers.open:
            await asyncio.sleep(0.001)
    # What came behind was not read: at most one packet is beyond.
    fragments, numbers, streams = _kept(servers)
    assert fragments <= chunks.FRAGMENTS_LIMIT + FEW
    assert numbers <= chunks.BEYOND_GAP_LIMIT + FEW
    assert streams <= chunks.STREAMS_LIMIT + NAMED
    await unharmed(room, victim)
    # What the server's own loop says nothing about (`quiet_about_closed_channels`), nor do we.
    told = [one.exc_info[1] for one in caplog.records if one.exc_info]
    assert [one for one in told if not isinstance(one, ConnectionError)] == []


def _packet(*chunks: bytes) -> bytes:
    return bytes(12) + b"".join(chunks)


def _chunk(kind: int, body: bytes) -> bytes:
    return bytes(_of(kind, body))


FAIR = _packet(_chunk(HeartbeatChunk.type, struct.pack("!HHL", 1, 8, 7)))
# aiortc would read the first ones for ever, and hold the test.
UNREADABLE = {
    "a parameter without a length": _packet(_chunk(HeartbeatChunk.type, bytes(4))),
    "one behind another": _packet(_chunk(ReconfigChunk.type, struct.pack("!HHHH", 1, 4, 1, 0))),
    "one at the beginning": _packet(_chunk(InitChunk.type, bytes(16) + bytes(4))),
    "a chunk without a length": _packet(bytes(4)),
    "fewer gaps than it says": _packet(_chunk(SackChunk.type, struct.pack("!LLHH", 1, 1, 9, 0))),
    "acknowledging what was never sent": _packet(
        _chunk(SackChunk.type, struct.pack("!LLHHHH", 1, 1, 1, 0, 1, 65_535))
    ),
    "fifty chunks": _packet(*[bytes(_data(number, WHOLE)) for number in range(50)]),
    "many parameters": _packet(_chunk(ReconfigChunk.type, struct.pack("!HH", 1, 4) * 60)),
    "all there is, twice": _packet(
        *[_chunk(SackChunk.type, struct.pack("!LLHHHH", 1, 1, 1, 0, 1, 2000))] * 2
    ),
}


@pytest.mark.parametrize("packet", UNREADABLE.values(), ids=UNREADABLE)
async def test_what_no_page_sends_is_not_read(packet: bytes) -> None:
    read: list[bytes] = []

    async def handle(data: bytes) -> None:
        read.append(data)

    sctp = SimpleNamespace(_handle_data=handle, _inbound_streams={}, _sack_misordered=set())
    chunks.bound_chunks(sctp)  # type: ignore[arg-type]
    await sctp._handle_data(FAIR)
    with pytest.raises(ConnectionError):
        await sctp._handle_data(packet)
    assert read == [FAIR]


async def test_chunks_beyond_the_rate_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chunks, "CHUNKS_AT_ONCE", 10.0)
    monkeypatch.setattr(chunks, "CHUNKS_A_SECOND", 1e-6)
    read: list[bytes] = []

    async def handle(data: bytes) -> None:
        read.append(data)

    sctp = SimpleNamespace(_handle_data=handle, _inbound_streams={}, _sack_misordered=set())
    chunks.bound_chunks(sctp)  # type: ignore[arg-type]
    for _ in range(100):
        await sctp._handle_data(FAIR)
    assert len(read) == 5
