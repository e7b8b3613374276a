"""The bytes of every TCP stream of a capture, in order. Sizes and times are the agent's to tell.

SPDX-License-Identifier: Apache-2.0
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

NANOSECOND_PCAP = 0xA1B23C4D
FILE_HEAD_BYTES, RECORD_HEAD_BYTES = 24, 16
ETHERNET_BYTES = 14
IPV4 = b"\x08\x00"
SYN = 0x02
SEQUENCE_SPACE = 1 << 32

# Sender and receiver, as `lab-agent stream of` writes them.
Way = tuple[str, str]


class CaptureError(Exception):
    """What a capture lacks."""


@dataclass
class _Stream:
    begins: int
    parts: list[tuple[int, bytes]] = field(default_factory=list)

    def content(self, way: Way) -> bytes:
        """All of it, each byte once. Raises `CaptureError` where some is missing."""
        whole = bytearray()
        for offset, part in sorted(self.parts, key=lambda one: one[0]):
            if offset > len(whole):
                raise CaptureError(
                    f"from {way[0]} to {way[1]}, bytes {len(whole)} to {offset} were not captured"
                )
            whole += part[len(whole) - offset :]
        return bytes(whole)


def streams(capture: bytes) -> dict[Way, bytes]:
    """What went each way of each connection that began in the capture. Raises `CaptureError`."""
    found: dict[Way, _Stream] = {}
    for segment in _segments(capture):
        if segment.is_first:
            if segment.way in found and found[segment.way].parts:
                raise CaptureError(f"the ports from {segment.way[0]} were used twice")
            found[segment.way] = _Stream(segment.sequence + 1)
        elif segment.payload and segment.way in found:
            stream = found[segment.way]
            offset = (segment.sequence - stream.begins) % SEQUENCE_SPACE
            # What asks whether the other end is there repeats the byte before the first.
            if offset < SEQUENCE_SPACE // 2:
                stream.parts.append((offset, segment.payload))
    return {way: stream.content(way) for way, stream in found.items() if stream.parts}


@dataclass(frozen=True)
class _Segment:
    way: Way
    sequence: int
    is_first: bool
    payload: bytes


def _segments(capture: bytes) -> Iterator[_Segment]:
    """Every TCP segment over IPv4 on Ethernet, as loopback's captures have it."""
    order = next((one for one in "<>" if _magic(capture, one) == NANOSECOND_PCAP), None)
    if order is None:
        raise CaptureError("it is no pcap with nanoseconds")
    at = FILE_HEAD_BYTES
    while at + RECORD_HEAD_BYTES <= len(capture):
        (length,) = struct.unpack_from(f"{order}I", capture, at + 8)
        at += RECORD_HEAD_BYTES
        frame = capture[at : at + length]
        at += length
        if frame[12:14] != IPV4:
            continue
        packet = frame[ETHERNET_BYTES:]
        head_bytes = (packet[0] & 0x0F) * 4
        (whole_bytes,) = struct.unpack_from(">H", packet, 2)
        segment = packet[head_bytes:whole_bytes]
        source, target, sequence = struct.unpack_from(">HHI", segment)
        yield _Segment(
            way=(f"{_address(packet[12:16])}:{source}", f"{_address(packet[16:20])}:{target}"),
            sequence=sequence,
            is_first=bool(segment[13] & SYN),
            payload=segment[(segment[12] >> 4) * 4 :],
        )


def _magic(capture: bytes, order: str) -> int:
    if len(capture) < FILE_HEAD_BYTES:
        return 0
    (magic,) = struct.unpack_from(f"{order}I", capture)
    return int(magic)


def _address(of: bytes) -> str:
    return ".".join(str(byte) for byte in of)
