"""When segments were sent again, off a sender's capture (pcapng of Ethernet, IPv4, TCP).

The trace analysis says how much was retransmitted; what the thesis's figure
2.7 shows, the moments at which one and the same segment goes out again, is in
the capture only.

SPDX-License-Identifier: Apache-2.0
"""

import struct
from collections.abc import Iterator

ENHANCED_PACKET = 6
BLOCK_HEAD_BYTES = 8
PACKET_HEAD_BYTES = 28
ETHERNET_BYTES = 14
MS_PER_NS = 1e-6
SEQUENCE_SPACE = 1 << 32


def retransmissions(capture: bytes) -> list[list[float]]:
    """For each segment sent again: milliseconds from its first transmission to each later one.

    A segment is known by its first byte: what is sent again may be merged with
    its successor, but it begins where the lost one began. A bundle begins
    earlier than what it is about and ends later than all before it: it is a
    first transmission, not one of these.
    """
    first: dict[int, int] = {}
    again: dict[int, list[float]] = {}
    base: int | None = None
    highest = 0
    for at_ns, sequence, length in _data_packets(capture):
        base = sequence if base is None else base
        start = (sequence - base) % SEQUENCE_SPACE
        if start + length > highest:
            first[max(start, highest)] = at_ns
            highest = start + length
        elif start in first:
            again.setdefault(start, []).append((at_ns - first[start]) * MS_PER_NS)
    return list(again.values())


def _data_packets(capture: bytes) -> Iterator[tuple[int, int, int]]:
    """Time, sequence number and payload length of each packet from the SYN's sender with data."""
    sender: bytes | None = None
    for at_ns, frame in _frames(capture):
        ip = frame[ETHERNET_BYTES:]
        head_bytes = (ip[0] & 0x0F) * 4
        total_bytes = int.from_bytes(ip[2:4])
        tcp = ip[head_bytes:total_bytes]
        sender = ip[12:16] if sender is None else sender
        length = len(tcp) - (tcp[12] >> 4) * 4
        if ip[12:16] == sender and length > 0:
            yield at_ns, int.from_bytes(tcp[4:8]), length


def _frames(capture: bytes) -> Iterator[tuple[int, bytes]]:
    """Packets of a pcapng file whose stamps are nanoseconds, as the agent writes them."""
    order = "<" if capture[8:12] == b"\x4d\x3c\x2b\x1a" else ">"
    at = 0
    while at + BLOCK_HEAD_BYTES <= len(capture):
        kind, size = struct.unpack_from(f"{order}II", capture, at)
        if kind == ENHANCED_PACKET:
            high, low, captured = struct.unpack_from(f"{order}III", capture, at + 12)
            start = at + PACKET_HEAD_BYTES
            yield (high << 32) | low, capture[start : start + captured]
        at += size
