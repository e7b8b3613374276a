"""A link: two directions of numbered messages that survive loss, reordering and reconnects.

A pure machine: it is told what arrives and what time it is, and tells what to
send and when to ask again. The page has the same machine, in `link.ts`.

On an unreliable transport, each new message takes along those before it that
are not acknowledged, as far as they fit into one datagram: redundant data
bundling, so that most losses are repaired by the next key. What is left over
is sent again after a timeout that does not back off at first: our streams are
as thin as those of the studies. On a reliable transport nothing is sent twice.

SPDX-License-Identifier: Apache-2.0
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

# Fits into one packet of any path beneath SCTP, DTLS, UDP and IPv6's least MTU of 1280.
DATAGRAM_BYTES = 1100
STREAM_FRAME_BYTES = 48 * 1024
# The other side takes no longer frame (`messages.BrowserFrame`).
FRAME_MESSAGES = 512
LEAST_TIMEOUT_S = 0.06
FIRST_TIMEOUT_S = 0.2
LONGEST_TIMEOUT_S = 1.0
TIMEOUT_RTTS = 1.5
# As the kernel's linear timeouts: so many without back-off.
LINEAR_REPEATS = 6
UNACKNOWLEDGED_LIMIT = 4096
UNACKNOWLEDGED_LIMIT_BYTES = 1024 * 1024
# What overtook a missing message is kept, so many at most; the rest comes again.
AHEAD_LIMIT = 256
RTT_GAIN = 1 / 8

T = TypeVar("T")


class OverrunError(Exception):
    """More is unacknowledged than a link may hold."""


class ProtocolError(Exception):
    """The other side acknowledges what was never sent."""


@dataclass(frozen=True)
class Frame:
    """What is sent at once."""

    ack: int
    first: int
    messages: tuple[str, ...] = ()


@dataclass
class _Kept:
    """A message that the other side has not acknowledged."""

    text: str
    size_bytes: int
    sent_at: float | None = None
    """On this transport; none: not yet."""
    repeats: int = 0
    """How often a timeout or a reconnect sent it again."""


class Link(Generic[T]):
    """One side of a link; `T` is what the other side's messages are."""

    def __init__(self) -> None:
        self.srtt_s: float | None = None
        self._kept: deque[_Kept] = deque()
        self._kept_bytes = 0
        self._acknowledged = 0
        self._received = 0
        self._ahead: dict[int, T] = {}
        self._owes_ack = False
        self._repeats: bool | None = None

    @property
    def attached(self) -> bool:
        """Whether there is a transport."""
        return self._repeats is not None

    @property
    def settled(self) -> bool:
        """Whether all that was sent is acknowledged."""
        return not self._kept

    def attach(self, *, reliable: bool) -> None:
        """A new transport: what is unacknowledged is to be sent over it."""
        self._repeats = not reliable
        self._owes_ack = True
        self.srtt_s = None
        for kept in self._kept:
            # An answer may be to what the old transport carried: no sample of this one.
            kept.repeats += kept.sent_at is not None
            kept.sent_at = None

    def detach(self) -> None:
        """The transport is gone; what is unacknowledged waits for the next one."""
        self._repeats = None

    def send(self, message: str) -> None:
        """Takes a message to be sent. Raises `OverrunError`."""
        size_bytes = len(message.encode())
        if (
            len(self._kept) >= UNACKNOWLEDGED_LIMIT
            or self._kept_bytes + size_bytes > UNACKNOWLEDGED_LIMIT_BYTES
        ):
            raise OverrunError
        self._kept.append(_Kept(message, size_bytes))
        self._kept_bytes += size_bytes

    def receive(self, ack: int, first: int, messages: Sequence[T], now: float) -> list[T]:
        """A frame came; returns the messages that are next in order. Raises `ProtocolError`."""
        self._take_ack(ack, now)
        for number, message in enumerate(messages, first):
            if self._received < number <= self._received + AHEAD_LIMIT:
                self._ahead.setdefault(number, message)
        # A duplicate, too, is answered: it came because our acknowledgement did not arrive.
        self._owes_ack |= bool(messages)
        delivered = []
        while (following := self._ahead.pop(self._received + 1, None)) is not None:
            self._received += 1
            delivered.append(following)
        return delivered

    def _take_ack(self, ack: int, now: float) -> None:
        if ack > self._acknowledged + len(self._kept):
            raise ProtocolError
        while self._acknowledged < ack:
            kept = self._kept.popleft()
            self._kept_bytes -= kept.size_bytes
            self._acknowledged += 1
            # Bundles carry a message again, but acknowledge what is newer, too.
            if self._acknowledged == ack and kept.repeats == 0 and kept.sent_at is not None:
                self._sample(now - kept.sent_at)

    def _sample(self, rtt_s: float) -> None:
        before_s = rtt_s if self.srtt_s is None else self.srtt_s
        self.srtt_s = before_s + RTT_GAIN * (rtt_s - before_s)

    def due_at(self) -> float | None:
        """When `frames` has something to send again; none: not before anything happens."""
        if not self._repeats:
            return None
        return min(
            (self._due(kept) for kept in self._kept if kept.sent_at is not None), default=None
        )

    def _due(self, kept: _Kept) -> float:
        timeout_s = FIRST_TIMEOUT_S if self.srtt_s is None else TIMEOUT_RTTS * self.srtt_s
        doublings = min(max(kept.repeats - LINEAR_REPEATS, 0), 10)
        timeout_s = max(timeout_s, LEAST_TIMEOUT_S) * 2.0**doublings
        return (kept.sent_at or 0.0) + min(timeout_s, LONGEST_TIMEOUT_S)

    def frames(self, now: float) -> list[Frame]:
        """What is to be sent now."""
        if self._repeats is None:
            return []
        kept = list(self._kept)
        new = [place for place, one in enumerate(kept) if one.sent_at is None]
        late = [
            place
            for place, one in enumerate(kept)
            if self._repeats and one.sent_at is not None and self._due(one) <= now
        ]
        if self._repeats:
            runs = _runs(kept, late, DATAGRAM_BYTES)
            runs += [_bundled(kept, run) for run in _runs(kept, new, DATAGRAM_BYTES)]
        else:
            runs = _runs(kept, new, STREAM_FRAME_BYTES)
        # A copy in a bundle does not put off the timeout of what it repeats.
        for place in late:
            kept[place].repeats += 1
        for place in (*late, *new):
            kept[place].sent_at = now
        if not runs and self._owes_ack:
            return [self.pure()]
        self._owes_ack = False
        return [
            Frame(
                self._received,
                self._acknowledged + 1 + run.start,
                tuple(kept[place].text for place in run),
            )
            for run in runs
        ]

    def pure(self) -> Frame:
        """An acknowledgement alone."""
        self._owes_ack = False
        return Frame(self._received, self._acknowledged + 1)


def _bundled(kept: list[_Kept], run: range) -> range:
    """The run, with as many messages before it as fit."""
    room_bytes = DATAGRAM_BYTES - sum(kept[place].size_bytes for place in run)
    start = run.start
    while start > 0 and (room_bytes := room_bytes - kept[start - 1].size_bytes) >= 0:
        start -= 1
    return range(start, run.stop)


def _runs(kept: list[_Kept], places: list[int], limit_bytes: int) -> list[range]:
    """Neighbouring places together, as far as they fit into a frame; each at least alone."""
    runs: list[range] = []
    size_bytes = 0
    for place in places:
        size_bytes += kept[place].size_bytes
        fits = size_bytes <= limit_bytes and runs and len(runs[-1]) < FRAME_MESSAGES
        if fits and runs[-1].stop == place:
            runs[-1] = range(runs[-1].start, place + 1)
        else:
            runs.append(range(place, place + 1))
            size_bytes = kept[place].size_bytes
    return runs
