"""A link: two directions of numbered messages that survive loss, reordering and reconnects.

A pure machine: it is told what arrives and what time it is, and tells what to
send and when to ask again. The page has the same machine, in `link.ts`.

On an unreliable transport, each new message takes along those before it that
are not acknowledged, as far as they fit into one datagram: redundant data
bundling, so that most losses are repaired by the next key. What is left over
is sent again after a timeout that does not back off at first: our streams are
as thin as those of the studies. On a reliable transport nothing is sent twice.

Copies must never be what keeps a busy machine busy. So each message is copied a
few times only, a timeout sends one datagram, the round trip is taken from a
message's first sending (else a timeout that is too short is never found out),
and whoever drives the link asks for no frames while the transport is full: what
waits then leaves in few frames instead of many.

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
# As far as backing off goes; a round trip may be longer, as long as `LONGEST_SAMPLE_S`.
LONGEST_BACKOFF_S = 1.0
TIMEOUT_RTTS = 1.5
# As the kernel's linear timeouts: so many without back-off.
LINEAR_REPEATS = 6
# How often newer messages take one along: only after four losses in a row has it to wait.
COPIES = 3
# What is new leaves in so many datagrams at once at most; the rest when there is room again.
FRAMES_AT_ONCE = 8
UNACKNOWLEDGED_LIMIT = 4096
UNACKNOWLEDGED_LIMIT_BYTES = 1024 * 1024
# What overtook a missing message is kept, so many at most; the rest comes again.
AHEAD_LIMIT = 256
RTT_GAIN = 1 / 8
# Up sooner than down: what is sent again for nothing costs more than what is repaired late.
RTT_GAIN_UP = 1 / 4
# An outage tells little of the round trip after it.
LONGEST_SAMPLE_S = 2.0

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
    first_sent_at: float | None = None
    """On this transport; none where an older one carried it: an answer may be to that."""
    is_old: bool = False
    """Whether an older transport carried it."""
    repeats: int = 0
    """How often a timeout or a reconnect sent it again."""
    copies: int = 0
    """How often newer messages took it along."""


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
        self._repeats_from = 0.0

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
        self._repeats_from = 0.0
        for kept in self._kept:
            kept.is_old |= kept.sent_at is not None
            kept.repeats += kept.sent_at is not None
            kept.sent_at = kept.first_sent_at = None
            kept.copies = 0

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
        if ack > self._acknowledged:
            # It gets through: what else is late need not wait for another timeout.
            self._repeats_from = 0.0
        while self._acknowledged < ack:
            kept = self._kept.popleft()
            self._kept_bytes -= kept.size_bytes
            self._acknowledged += 1
            # Bundles carry a message again, but acknowledge what is newer, too.
            if self._acknowledged == ack and kept.first_sent_at is not None:
                self._sample(min(now - kept.first_sent_at, LONGEST_SAMPLE_S))

    def _sample(self, rtt_s: float) -> None:
        """Too long where only a copy arrived: that is rare, or the path is full."""
        before_s = rtt_s if self.srtt_s is None else self.srtt_s
        gain = RTT_GAIN_UP if rtt_s > before_s else RTT_GAIN
        self.srtt_s = before_s + gain * (rtt_s - before_s)

    def due_at(self) -> float | None:
        """When `frames` has something to send again; none: not before anything happens."""
        if not self._repeats:
            return None
        due = (self._due(kept) for kept in self._kept if kept.sent_at is not None)
        first = min(due, default=None)
        return None if first is None else max(first, self._repeats_from)

    @property
    def _timeout_s(self) -> float:
        timeout_s = FIRST_TIMEOUT_S if self.srtt_s is None else TIMEOUT_RTTS * self.srtt_s
        return max(timeout_s, LEAST_TIMEOUT_S)

    def _due(self, kept: _Kept) -> float:
        doublings = min(max(kept.repeats - LINEAR_REPEATS, 0), 10)
        backed_off_s = min(self._timeout_s * 2.0**doublings, LONGEST_BACKOFF_S)
        return (kept.sent_at or 0.0) + max(backed_off_s, self._timeout_s)

    def frames(self, now: float) -> list[Frame]:
        """What is to be sent now; not to be asked for while the transport is full."""
        if self._repeats is None:
            return []
        kept = list(self._kept)
        new = [place for place, one in enumerate(kept) if one.sent_at is None]
        if self._repeats:
            again = self._again(kept, now)
            fresh = _runs(kept, new, DATAGRAM_BYTES)[:FRAMES_AT_ONCE]
            runs = again + [_bundled(kept, run) for run in fresh]
        else:
            again, fresh = [], _runs(kept, new, STREAM_FRAME_BYTES)
            runs = fresh
        for run in again:
            for place in run:
                kept[place].repeats += 1
        # A copy in a bundle does not put off the timeout of what it repeats.
        for run in (*again, *fresh):
            for place in run:
                self._note(kept[place], now)
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

    def _again(self, kept: list[_Kept], now: float) -> list[range]:
        """The oldest that are late, as many as one datagram holds."""
        if now < self._repeats_from:
            return []
        late = [
            place
            for place, one in enumerate(kept)
            if one.sent_at is not None and self._due(one) <= now
        ]
        if late:
            self._repeats_from = now + self._timeout_s
        return _runs(kept, late, DATAGRAM_BYTES)[:1]

    @staticmethod
    def _note(kept: _Kept, now: float) -> None:
        kept.sent_at = now
        if kept.first_sent_at is None and not kept.is_old:
            kept.first_sent_at = now

    @property
    def has_more(self) -> bool:
        """Whether something has still to be sent for the first time."""
        return self._repeats is not None and any(one.sent_at is None for one in self._kept)

    def pure(self) -> Frame:
        """An acknowledgement alone."""
        self._owes_ack = False
        return Frame(self._received, self._acknowledged + 1)


def _bundled(kept: list[_Kept], run: range) -> range:
    """The run, with as many messages before it as fit and may be copied."""
    room_bytes = DATAGRAM_BYTES - sum(kept[place].size_bytes for place in run)
    start = run.start
    while start > 0 and kept[start - 1].copies < COPIES:
        room_bytes -= kept[start - 1].size_bytes
        if room_bytes < 0:
            break
        start -= 1
        kept[start].copies += 1
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
