"""What can be seen of an installation from outside its studies: numbers, and nobody's data.

No study, no participant, no address and no answer is in here, nor anything that tells how people
vote: whoever watches the machines need not be the researcher.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True)
class Disk:
    """Where something is stored."""

    free_bytes: int
    size_bytes: int


@dataclass(frozen=True)
class GuestWall:
    """What holds the guests of a host, should somebody break out of one: docs/ssh.md."""

    landlock_version: int
    """0 where files are not held."""
    seccomp: bool


@dataclass(frozen=True)
class LiveHostFigures:
    """A lab host in real time."""

    problem: str | None
    sessions: int
    wall: GuestWall | None = None
    """None before it has said."""


@dataclass(frozen=True)
class Punctuality:
    """Typing sessions of the last hour: how well the hosts kept their time."""

    ended: int = 0
    """Sessions that were measured."""
    untrustworthy: int = 0
    """Of them, those whose emulator was late: their delays are not to be believed."""
    voided_by_hosts: int = 0
    """Not for anything that a participant did."""


@dataclass(frozen=True)
class TypingRoom:
    """How well the machine keeps up with those who type."""

    behind_ms: float
    """The longest that a key would have waited for it in the last seconds."""
    limit_ms: float
    """A key that waits longer spoils its session."""
    has_room: bool
    """Whether another may begin."""
    held: bool
    """Whether those who type are asked to wait."""
    holds: int
    """How often they were, since the server's start."""
    turned_away: int
    """How often somebody was asked to come again, since then."""


@dataclass(frozen=True)
class Stored:
    """What the database says."""

    answered_in_s: float
    jobs: dict[str, int]
    """Recordings by the state of their job."""
    votes: int
    present: int
    """Participants heard from in the last five minutes."""
    punctuality: Punctuality


@dataclass(frozen=True)
class Figures:
    """All of it, at one moment."""

    looked_at: datetime
    stored: Stored | None
    """None while the database is away."""
    disks: dict[str, Disk]
    """By what lies there: `data`, `recordings`."""
    live_hosts: list[LiveHostFigures]
    live_problem: str | None
    """Why nothing can be typed; none where it can."""
    demos: int
    links: int
    """Pages that are connected to type."""
    loop_late_s: float
    """The longest that this process did not look at its sockets since the last look."""
    room: TypingRoom
    backup_at: datetime | None
    backup_bytes: int | None = field(default=None)
