"""What the switchboard asks of whoever knows participants, studies and terminals.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from typing import Protocol

from thinlab.lab.terminal import Terminal
from thinlab.live.messages import Hello, RefusalCode, Refused, StageReason
from thinlab.live.network import NetworkFound
from thinlab.live.record import SessionRecord
from thinlab.live.session import Limits
from thinlab.live.transport import TransportKind

REMEDIES = {
    RefusalCode.UNKNOWN_PARTICIPANT: "Open the study's address again.",
    RefusalCode.WITHDRAWN: "This participation was withdrawn.",
    RefusalCode.UNKNOWN_SESSION: "Ask for the trials again.",
    RefusalCode.NOT_NOW: "Ask for the participation's progress, and continue from there.",
    RefusalCode.DONE: "This session is typed; ask for the trials again.",
    RefusalCode.LINK_LOST: "The server knows the link no longer: open a new one.",
    RefusalCode.TAKEN_OVER: "The session goes on in another tab or window.",
    RefusalCode.NO_HOST: "Try again in a minute.",
    RefusalCode.BUSY: "The machine has no room for another just now; try again in some seconds.",
    RefusalCode.UNAVAILABLE: "Try again in a few seconds.",
}


class RefusedError(Exception):
    """A link is not opened."""

    def __init__(self, code: RefusalCode) -> None:
        super().__init__(code.value)
        self.refused = refused(code)


def refused(code: RefusalCode) -> Refused:
    """The message that says so."""
    return Refused(type="refused", code=code, remedy=REMEDIES[code])


@dataclass(frozen=True)
class Caption:
    """What may be told of a running session: never its condition."""

    participant: str
    """The pseudonym."""
    study: str
    session_id: int
    position: int
    place: str
    training: bool


@dataclass(frozen=True)
class CheckResult:
    """A connection check's outcome."""

    good: bool
    remedy: str | None


class TypingJob(Protocol):
    """A session that was entered and is to be typed."""

    @property
    def caption(self) -> Caption:
        """For the researcher's live view."""

    @property
    def limits(self) -> Limits:
        """The task's."""

    def terminal(self) -> Terminal:
        """The terminal to type it in."""

    async def store(self, record: SessionRecord, end: StageReason) -> None:
        """Keeps what a whole session yielded; it counts from then on."""

    async def void(self, reason: StageReason, record: SessionRecord) -> None:
        """Notes that it does not count."""

    def left(self) -> None:
        """The session is over, however it ended."""


class Desk(Protocol):
    """Who may open a link, and for what. Everything raises `RefusedError`."""

    async def participant_of(self, participant_token: str) -> int:
        """The participant's key."""

    async def begin(self, hello: Hello, participant_id: int) -> TypingJob:
        """Enters the session that the hello names."""

    async def may_check(self, participant_id: int) -> None:
        """Returns where a connection check is due."""

    async def checked(
        self, participant_id: int, kind: TransportKind, found: NetworkFound
    ) -> CheckResult:
        """Stores what a check has found, and judges it."""


class StartingDesk(Desk, Protocol):
    """One that has to put things in order before the first link."""

    async def prepare(self) -> None:
        """At the start: nothing is under way, and no file belongs to nothing."""
