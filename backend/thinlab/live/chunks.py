"""Bounds on the SCTP chunks of a peer connection: aiortc has none of its own.

It looks through all that it keeps, for each chunk that comes: fragments of a
message that never ends, numbers beyond a gap, streams that were only named. A
hundred datagrams of those hold the loop for seconds. It also believes an
acknowledgement of 65 000 chunks that were never sent, some hundred times in a
datagram, and reads a parameter without a length for ever. So a packet is
weighed before aiortc reads it, and what is kept is counted after.

No page comes near these bounds: whoever does is sent away.

SPDX-License-Identifier: Apache-2.0
"""

import asyncio
import math
import struct
import time
from typing import Any

from aiortc import RTCSctpTransport
from aiortc.rtcsctptransport import (
    AbortChunk,
    ErrorChunk,
    HeartbeatAckChunk,
    HeartbeatChunk,
    InitAckChunk,
    InitChunk,
    ReconfigChunk,
    SackChunk,
)

from thinlab.throttle.rate import Rate

# More than fit of a page's shortest frames, with an acknowledgement.
PACKET_CHUNKS_LIMIT = 24
# Ours on the way are some ten kilobytes.
ACKNOWLEDGED_BEYOND_GAPS_LIMIT = 2048
# What is lost stays a gap until the page says that it will not come, and its messages may come in
# pieces: over a line that takes half a second and loses a tenth, a test's page in Chromium left 257
# of both; at a held key's pace, and over better ones, fewer.
BEYOND_GAP_LIMIT = 512
FRAGMENTS_LIMIT = 512
# A page has one.
STREAMS_LIMIT = 8
# A frame, an acknowledgement, and that nobody need wait for what was lost: half of it at most. Each
# costs a tenth of a millisecond where as much is kept as is allowed.
CHUNKS_A_SECOND, CHUNKS_AT_ONCE = 600.0, 600.0

# Packets so soon after each other have waited together.
BURST_S = 0.001

PACKET_HEAD_BYTES, CHUNK_HEAD_BYTES = 12, 4
# Where the parameters begin, behind the chunk's head.
PARAMETERS_AT = dict.fromkeys(
    (
        kind.type
        for kind in (HeartbeatChunk, HeartbeatAckChunk, AbortChunk, ErrorChunk, ReconfigChunk)
    ),
    0,
) | {InitChunk.type: 16, InitAckChunk.type: 16}


class HostilePacketError(Exception):
    """No page sends this."""


def bound_chunks(transport: RTCSctpTransport) -> None:
    """Of one that has not begun; it ends for whoever is beyond them."""
    # Nothing public leads to what it keeps.
    sctp: Any = transport
    received = sctp._handle_data  # noqa: SLF001
    rate = Rate(CHUNKS_A_SECOND, CHUNKS_AT_ONCE)
    read_at_s = -math.inf

    async def within_bounds(packet: bytes) -> None:
        nonlocal read_at_s
        # What comes in a burst is handed on without a pause: others' keys have their turn in
        # between. A key that comes by itself would wait for all that the loop has to do.
        if time.monotonic() - read_at_s < BURST_S:
            await asyncio.sleep(0)
        try:
            if rate.allows(time.monotonic(), weight(packet)):
                await received(packet)
                _count_kept(sctp)
        # Whatever aiortc meets in what a stranger wrote. As if the page had gone: nothing that
        # waits behind the packet is read, and nothing of it is logged.
        except Exception as error:
            raise ConnectionError from error
        finally:
            read_at_s = time.monotonic()

    sctp._handle_data = within_bounds  # noqa: SLF001


def weight(packet: bytes) -> int:
    """How many chunks and parameters a packet has. Raises `HostilePacketError`, `struct.error`."""
    found = beyond_gaps = 0
    at = PACKET_HEAD_BYTES
    while at + CHUNK_HEAD_BYTES <= len(packet):
        kind, length = struct.unpack_from("!BxH", packet, at)
        body = packet[at + CHUNK_HEAD_BYTES : at + length]
        found += 1
        if kind in PARAMETERS_AT:
            found += _parameters(body[PARAMETERS_AT[kind] :])
        elif kind == SackChunk.type:
            beyond_gaps += _beyond_gaps(body)
        if (
            length < CHUNK_HEAD_BYTES
            or found > PACKET_CHUNKS_LIMIT
            or beyond_gaps > ACKNOWLEDGED_BEYOND_GAPS_LIMIT
        ):
            raise HostilePacketError
        at += _padded(length)
    return found


def _parameters(body: bytes) -> int:
    found = at = 0
    while at + 4 <= len(body):
        (length,) = struct.unpack_from("!2xH", body, at)
        if length < 4:  # noqa: PLR2004 (its own head)
            raise HostilePacketError
        found += 1
        at += _padded(length)
    return found


def _beyond_gaps(body: bytes) -> int:
    (gaps,) = struct.unpack_from("!8xH2x", body)
    ends = struct.unpack_from(f"!{2 * gaps}H", body, 12)
    return sum(max(last - first + 1, 0) for first, last in zip(ends[::2], ends[1::2], strict=True))


def _padded(length: int) -> int:
    return (length + 3) // 4 * 4


def _count_kept(sctp: Any) -> None:  # noqa: ANN401 (aiortc's own)
    streams = sctp._inbound_streams.values()  # noqa: SLF001
    if (
        len(streams) > STREAMS_LIMIT
        or len(sctp._sack_misordered) > BEYOND_GAP_LIMIT  # noqa: SLF001
        or sum(len(stream.reassembly) for stream in streams) > FRAGMENTS_LIMIT
    ):
        raise HostilePacketError
