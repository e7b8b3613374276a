"""Opus in Ogg (RFC 3533, RFC 7845): pages to append to a file, and the packets of a part of it.

Mono, 20 ms a packet, and no packet lies on two pages. So a reader skips from page to page,
and a file whose writer was killed is whole up to its last whole page.

SPDX-License-Identifier: Apache-2.0
"""

import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import IO

from thinlab.demo.rtp_stream import SAMPLES_PER_PACKET, SAMPLES_PER_S

# Pattern, version, flags, granule position, serial number, sequence number, checksum, segments.
PAGE = struct.Struct("<4sBBqIIIB")
CHECKSUM_AT = 22
PATTERN = b"OggS"
FIRST_PAGE, LAST_PAGE = 2, 4
# Of one stream there is only one number.
SERIAL = 1
SEGMENT_BYTES = 255
MOST_SEGMENTS = 255
# A packet has 1275 bytes at most: six segments.
MOST_PACKETS = 42
# More than the largest page.
NEAR_BYTES = 64 * 1024
# Version, channels, pre-skip, rate, gain, mapping.
HEAD = struct.Struct("<8sBBHIhB")
# So much later than what was encoded is what is decoded: the encoder's way of 2.5 ms.
ENCODER_SAMPLES = 120
# RFC 7845, 4.6: after so much a decoder that begins in the middle is right.
PREROLL_PACKETS = 4
# 20 ms of nothing, of the one coding mode that the agent uses.
SILENCE = b"\xf8\xff\xfe"
VENDOR = b"Thinlab"
MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class OggError(ValueError):
    """What lies there is not a file of ours."""


class OggPages:
    """The pages of one stream, one after the other."""

    def __init__(self, tags: dict[str, str], *, preroll_packets: int = 0) -> None:
        """`preroll_packets`: so many of the first packets are decoded and not heard."""
        self._skipped = ENCODER_SAMPLES + preroll_packets * SAMPLES_PER_PACKET
        self._tags = tags
        self._pages = self._packets = 0

    def begin(self) -> bytes:
        """The pages before the sound's own."""
        head = HEAD.pack(b"OpusHead", 1, 1, self._skipped, SAMPLES_PER_S, 0, 0)
        comments = [f"{name}={value}".encode() for name, value in self._tags.items()]
        tags = [b"OpusTags", _counted(VENDOR), len(comments).to_bytes(4, "little")]
        tags += [_counted(comment) for comment in comments]
        return self._page([head], 0, FIRST_PAGE) + self._page([b"".join(tags)], 0, 0)

    def add(self, packets: Sequence[bytes]) -> bytes:
        """The pages of the next packets."""
        pages = []
        for some in _batches(packets):
            self._packets += len(some)
            pages.append(self._page(some, self._packets * SAMPLES_PER_PACKET, 0))
        return b"".join(pages)

    def end(self, packets: Sequence[bytes], samples: int) -> bytes:
        """The pages of the last packets; of the whole stream so many samples are to be heard."""
        *before, last = _batches(packets)
        pages = [self.add(some) for some in before]
        # What ends within the last packet is cut by that page's position.
        pages.append(self._page(last, self._skipped + samples, LAST_PAGE))
        return b"".join(pages)

    def _page(self, packets: Sequence[bytes], granule: int, flags: int) -> bytes:
        lacing = b"".join(map(_lacing, packets))
        if len(lacing) > MOST_SEGMENTS:
            raise OggError(f"{len(lacing)} segments do not fit a page")
        head = PAGE.pack(PATTERN, 0, flags, granule, SERIAL, self._pages, 0, len(lacing))
        self._pages += 1
        page = bytearray(b"".join((head, lacing, *packets)))
        page[CHECKSUM_AT : CHECKSUM_AT + 4] = _checksum(page).to_bytes(4, "little")
        return bytes(page)


def _batches(packets: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    for at in range(0, len(packets), MOST_PACKETS):
        yield packets[at : at + MOST_PACKETS]


def _lacing(packet: bytes) -> bytes:
    whole, rest = divmod(len(packet), SEGMENT_BYTES)
    return bytes([SEGMENT_BYTES] * whole + [rest])


def _counted(text: bytes) -> bytes:
    return len(text).to_bytes(4, "little") + text


def _checksum(page: bytes | bytearray) -> int:
    """Of a page whose checksum is 0. It is zlib's polynomial from the other end, begun with 0."""
    mirrored = zlib.crc32(page.translate(MIRRORED), 0xFFFF_FFFF) ^ 0xFFFF_FFFF
    return int(f"{mirrored:032b}"[::-1], 2)


def tags_of(file: IO[bytes]) -> dict[str, str]:
    """What the file says of itself. Raises `OggError`."""
    file.seek(0)
    pages = _pages(file, 0)
    _, head = next(pages, (0, []))
    _, tagged = next(pages, (0, []))
    if not head or not tagged or not tagged[0].startswith(b"OpusTags"):
        raise OggError("it does not begin as our files do")
    (tags,) = tagged
    at = 12 + int.from_bytes(tags[8:12], "little")
    count, at = int.from_bytes(tags[at : at + 4], "little"), at + 4
    found = {}
    for _ in range(count):
        length, at = int.from_bytes(tags[at : at + 4], "little"), at + 4
        name, _, value = tags[at : at + length].decode().partition("=")
        found[name], at = value, at + length
    return found


def packets_in(file: IO[bytes]) -> int:
    """How many packets lie on whole pages."""
    _seek_before(file, None)
    return max((packets for packets, _ in _pages(file, None)), default=0)


def packets_between(file: IO[bytes], first: int, end: int) -> list[bytes]:
    """Packets from `first` to before `end`, as far as there are any."""
    _seek_before(file, first)
    found: list[bytes] = []
    for until, packets in _pages(file, first):
        begin = until - len(packets)
        if until and packets:
            found += packets[max(first - begin, 0) : max(end - begin, 0)]
        if until >= end:
            break
    return found


def _seek_before(file: IO[bytes], first: int | None) -> None:
    """Sets the file to a page shortly before the one that holds packet `first`, or the last one.

    Two hours have fourteen thousand pages, so it searches by halves.
    """
    low, high = 0, os.fstat(file.fileno()).st_size
    while high - low > NEAR_BYTES:
        middle = (low + high) // 2
        file.seek(middle)
        nearby = file.read(NEAR_BYTES)
        at = nearby.find(PATTERN + b"\0")
        if at < 0 or len(nearby) < at + PAGE.size:
            high = middle
            continue
        granule = PAGE.unpack_from(nearby, at)[3]
        if first is None or granule // SAMPLES_PER_PACKET < first:
            low = middle + at
        else:
            high = middle
    file.seek(low)


def _pages(file: IO[bytes], first: int | None) -> Iterator[tuple[int, list[bytes]]]:
    """Of each whole page: how many packets there are up to its end, and its packets.

    The packets of pages that end before `first` are not read; without a `first`, none are.
    """
    size = os.fstat(file.fileno()).st_size
    at = file.tell()
    while len(head := file.read(PAGE.size)) == PAGE.size:
        pattern, _, _, granule, _, _, checksum, segments = PAGE.unpack(head)
        lacing = file.read(segments)
        length = sum(lacing)
        at += PAGE.size + segments + length
        if pattern != PATTERN or at > size:
            return
        until = granule // SAMPLES_PER_PACKET
        if first is None or until < first:
            file.seek(length, 1)
            yield until, []
            continue
        body = file.read(length)
        bare = head[:CHECKSUM_AT] + bytes(4) + head[CHECKSUM_AT + 4 :]
        if _checksum(bare + lacing + body) != checksum:
            return
        yield until, list(_split(lacing, body))


def _split(lacing: Iterable[int], body: bytes) -> Iterator[bytes]:
    begin = at = 0
    for segment in lacing:
        at += segment
        if segment < SEGMENT_BYTES:
            yield body[begin:at]
            begin = at
