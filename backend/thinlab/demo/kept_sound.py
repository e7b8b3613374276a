"""What was heard of a take, kept as it was sent: a file a lane, which grows while the take goes on.

The room's own packets, so nothing has to be made anew to hear a lane again, and what is heard
is what was. They lie where they belong: where the lab was held up, and its sound too late to be
sent, there is silence.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from thinlab.demo import ogg_opus
from thinlab.demo.ogg_opus import OggError, OggPages
from thinlab.demo.rtp_stream import SAMPLES_PER_PACKET

PACKET_MS = 20
PIECE_MS = 10_000
"""What a page asks for at a time: a browser decodes a file only as a whole."""
PIECE_PACKETS = PIECE_MS // PACKET_MS

BEGAN = "DEMO_MS"
"""The tag that says when the first sample was heard."""
CREDIT = "COPYRIGHT"


@dataclass(frozen=True)
class KeptSound:
    """What a lane's file holds."""

    began_at_ms: float
    """Since the demo began."""
    length_ms: float
    credit: str


class GrowingSound:
    """The files of a take that is heard."""

    def __init__(self, credit: str) -> None:
        """`credit`: whom whoever plays it has to name."""
        self._credit = credit
        self._heard: list[Sequence[bytes]] = []
        self._began_at_ms: float | None = None
        self._next = 0
        self._lanes: list[OggPages] = []

    def heard(self, number: int, at_ms: float, lanes: Sequence[bytes]) -> None:
        """20 ms of all lanes; between `number` and the one before, nothing was heard."""
        if self._began_at_ms is None:
            self._began_at_ms = at_ms - number * PACKET_MS
        silence = [ogg_opus.SILENCE] * len(lanes)
        self._heard.extend([silence] * (number - self._next))
        self._heard.append(lanes)
        self._next = number + 1

    def grown(self) -> list[bytes]:
        """What each lane's file gets since the last time; one caller at a time."""
        # More may come meanwhile, from another thread.
        count = len(self._heard)
        heard = self._heard[:count]
        del self._heard[:count]
        if not heard:
            return []
        begun = [b""] * len(heard[0])
        if not self._lanes:
            tags = {BEGAN: f"{self._began_at_ms:.3f}", CREDIT: self._credit}
            self._lanes = [OggPages(tags) for _ in heard[0]]
            begun = [lane.begin() for lane in self._lanes]
        of_lanes = zip(*heard, strict=True)
        return [
            head + lane.add(packets)
            for head, lane, packets in zip(begun, self._lanes, of_lanes, strict=True)
        ]


def kept_in(path: Path) -> KeptSound | None:
    """What a file holds; none: nothing that can be heard."""
    try:
        with path.open("rb") as file:
            tags = ogg_opus.tags_of(file)
            length_ms = ogg_opus.packets_in(file) * PACKET_MS
            return KeptSound(float(tags[BEGAN]), length_ms, tags[CREDIT]) if length_ms else None
    except (FileNotFoundError, OggError, KeyError, ValueError):
        return None


def piece_of(path: Path, number: int) -> bytes | None:
    """The `number`th ten seconds as a file of their own, which decodes to just these.

    None where the sound has ended before.
    """
    first = number * PIECE_PACKETS
    preroll = min(first, ogg_opus.PREROLL_PACKETS)
    # The last packet's sound ends in the one after it.
    end = first + PIECE_PACKETS + 1
    try:
        with path.open("rb") as file:
            packets = ogg_opus.packets_between(file, first - preroll, end)
    except FileNotFoundError:
        return None
    heard = min(len(packets) - preroll, PIECE_PACKETS)
    if heard <= 0:
        return None
    if len(packets) - preroll == heard:
        packets.append(ogg_opus.SILENCE)
    pages = OggPages({}, preroll_packets=preroll)
    return pages.begin() + pages.end(packets, heard * SAMPLES_PER_PACKET)
