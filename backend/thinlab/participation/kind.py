"""What participation asks of a kind of trial; `thinlab.trials` has the kinds.

SPDX-License-Identifier: Apache-2.0
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.contract.generated.results import FeltMetrics, TraceMetrics
from thinlab.database.schema import Participant, Presentation
from thinlab.participation import messages
from thinlab.study.catalogue import StoredStudy
from thinlab.study.definition import Block, StudyDefinition
from thinlab.study.schedule import MemberName
from thinlab.study.trial import Medium, Trial

Recordings = Mapping[tuple[str, int, str], int]
"""Ids by trial, run and member."""


class NotReadyError(Exception):
    """A recording is missing."""


class NotDoneError(Exception):
    """What a vote is about was not heard, typed, … yet: the page has to go back to it."""

    def __init__(
        self,
        kind: str,
        title: str,
        remedy: str,
        *,
        field: str | None = None,
        wait_s: float | None = None,
    ) -> None:
        super().__init__(title)
        self.kind = kind
        """Names the problem to the page."""
        self.title = title
        self.remedy = remedy
        self.field = field
        """Of the vote."""
        self.wait_s = wait_s
        """After so long the same vote can be taken; none: time alone mends nothing."""


@dataclass(frozen=True)
class Due:
    """What a participant has to do next."""

    stage: messages.Stage
    over: bool = False
    """Whether that is the end: nothing can be done any more."""


@dataclass(frozen=True)
class Places:
    """What is at the places of a presentation."""

    first_recording_id: int | None
    second_recording_id: int | None
    has_second: bool
    """False where one is judged alone."""


@dataclass(frozen=True)
class Opened:
    """What the participant's page needs to present a trial."""

    presentation: Presentation
    block: Block
    page: int
    """Of the session; 1 is the first."""
    place_in_block: int
    """Of the page; 0 for the block's first."""
    duration_ms: int | None
    """Of a trial's recordings; none where there are none."""
    done: frozenset[str] = frozenset()
    """The places, `first` and `second`, that need not be done again."""
    others: list[Presentation] = field(default_factory=list)
    """On the same page, in the order of the page."""


@dataclass(frozen=True)
class Undergone:
    """What was measured at one place."""

    ways: Sequence[TraceMetrics | None]
    felt: FeltMetrics | None


class PresentedKind(Protocol):
    """A kind of trial, from drawing it to taking its vote."""

    medium: Medium
    is_sent_ahead: bool
    """Whether a page may fetch such a trial before its turn."""

    def check_due(self, definition: StudyDefinition, participant: Participant) -> Due | None:
        """Of a study with such trials: what is checked before; none once it was good."""

    def places(
        self, block: Block, trial: Trial, run: int, first_member: MemberName, found: Recordings
    ) -> Places:
        """What a presentation shows. Raises `NotReadyError`."""

    async def places_done(
        self, session: AsyncSession, presentation: Presentation
    ) -> frozenset[str]:
        """As `Opened.done`, for a trial whose turn it is."""

    def form(
        self, opened: Opened, study: StoredStudy, language: str, common: dict[str, Any]
    ) -> messages.PresentedTrial:
        """The trial as a page shows it. `common`: the fields that every trial has."""

    async def check(
        self,
        session: AsyncSession,
        presentation: Presentation,
        definition: StudyDefinition,
        account: messages.Account,
        *,
        timed: bool,
    ) -> None:
        """Raises `NotDoneError` while a trial cannot be voted on.

        `account`: how the answer was reached, by the page. `timed`: see `vote.cast`.
        """

    async def undergone(self, session: AsyncSession, presentation: Presentation) -> list[Undergone]:
        """Of a presentation with its vote: a place after the other."""


Kinds = Mapping[str, PresentedKind]
"""By medium."""
