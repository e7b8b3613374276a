"""Whether a study takes participants, and whether its researcher may see how they voted.

While a study runs, its researcher can still change who takes part, what is
said to them and when to stop. Who sees the votes meanwhile steers them,
meaning to or not. So the direction of votes stays hidden until the study is
closed or its stop rule is met; looking earlier is possible, and on record.

Showing the votes is what cannot be taken back. So whatever had closed a study
when they were shown goes into its log then: a file or a rule that is changed
afterwards does not open it again, only the researcher does, with a reason.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import UTC, datetime, time
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, Field
from sqlalchemy import ColumnElement, func, select
from sqlalchemy.ext.asyncio import AsyncSession
from typing_extensions import TypeAliasType

from thinlab.database.schema import Participant, Study, StudyEvent
from thinlab.study.catalogue import StoredStudy
from thinlab.study.study_event import EventKind, enter, last_turn


class ClosedBy(StrEnum):
    """Why a study takes no more participants."""

    FILE = "file"
    RESEARCHER = "researcher"
    COMPLETED = "completed"
    DATE = "date"
    STOPPED = "stopped"


VisibleBecause = TypeAliasType(
    "VisibleBecause",
    Annotated[
        Literal["always", "closed", "unblinded"],
        Field(title="VisibleBecause", description="Why the direction of votes can be seen."),
    ],
)


class StudyStatus(BaseModel):
    """Open or closed, and what of the votes may be seen."""

    closed: bool
    closed_by: ClosedBy | None = Field(
        description="`file`: `open: false`; `completed`, `date`: the stop rule; `stopped`: it had "
        "ended by either when its votes were shown; null: open."
    )
    votes_visible: bool = Field(description="Whether the direction of votes may be seen.")
    visible_because: VisibleBecause | None


class NotNowError(Exception):
    """The study is not in a state for this; the text says why."""

    def __init__(self, why: str, remedy: str) -> None:
        super().__init__(why)
        self.remedy = remedy


async def of(session: AsyncSession, study: StoredStudy) -> StudyStatus:
    """The state of a study at this moment, from its definition, its votes and its events."""
    kinds = set(
        await session.scalars(
            select(StudyEvent.kind).where(StudyEvent.slug == study.slug).distinct()
        )
    )
    closed_by = await _closed_by(session, study)
    because = None
    if study.definition.votes_visible == "always":
        because = "always"
    elif closed_by is not None:
        because = "closed"
    elif kinds & {EventKind.UNBLINDED, EventKind.SHOWN}:
        because = "unblinded"
    return StudyStatus(
        closed=closed_by is not None,
        closed_by=closed_by,
        votes_visible=because is not None,
        visible_because=because,
    )


async def _closed_by(session: AsyncSession, study: StoredStudy) -> ClosedBy | None:
    if not study.definition.open:
        return ClosedBy.FILE
    last = await last_turn(session, study.slug)
    if last == EventKind.CLOSED:
        return ClosedBy.RESEARCHER
    if await _all_completed(session, study):
        return ClosedBy.COMPLETED
    if await _over(session, study):
        return ClosedBy.DATE
    return ClosedBy.STOPPED if last == EventKind.STOPPED else None


async def _all_completed(session: AsyncSession, study: StoredStudy) -> bool:
    stop = study.definition.stop
    if stop is None or stop.completed is None:
        return False
    return await completed(session, study.slug) >= stop.completed


async def _over(session: AsyncSession, study: StoredStudy) -> bool:
    stop = study.definition.stop
    if stop is None or stop.on is None:
        return False
    now = (await session.scalars(select(func.now()))).one()
    return now >= datetime.combine(stop.on, time(), UTC)


async def completed(session: AsyncSession, slug: str, *, language: str | None = None) -> int:
    """Completed sessions that the stop rule and the quotas count, of every version."""
    conditions = _completed(slug)
    if language is not None:
        conditions.append(Participant.language == language)
    counted = await session.scalar(
        select(func.count())
        .select_from(Participant)
        .join(Study, Study.id == Participant.study_id)
        .where(*conditions)
    )
    return counted or 0


async def completed_first(session: AsyncSession, slug: str, count: int) -> list[int]:
    """Ids of the participants whose sessions were the first of those to be completed."""
    found = await session.scalars(
        select(Participant.id)
        .join(Study, Study.id == Participant.study_id)
        .where(*_completed(slug))
        .order_by(Participant.completed_at, Participant.id)
        .limit(count)
    )
    return list(found)


def _completed(slug: str) -> list[ColumnElement[bool]]:
    return [
        Study.slug == slug,
        Participant.kind == "person",
        Participant.completed_at.is_not(None),
        Participant.withdrawn_at.is_(None),
        ~Participant.left_out,
    ]


async def show(session: AsyncSession, study: StoredStudy) -> bool:
    """Whether the direction of votes may be seen now; if so, notes that it was."""
    state = await locked(session, study)
    if state.closed:
        if await last_turn(session, study.slug) not in {EventKind.CLOSED, EventKind.STOPPED}:
            by = state.closed_by.value if state.closed_by else None
            await enter(session, study, EventKind.STOPPED, None, {"by": by})
    elif state.visible_because == "always":
        shown = await session.scalar(
            select(StudyEvent.id)
            .where(StudyEvent.slug == study.slug, StudyEvent.kind == EventKind.SHOWN)
            .limit(1)
        )
        if shown is None:
            await enter(session, study, EventKind.SHOWN, None, {})
    return state.votes_visible


async def close(session: AsyncSession, study: StoredStudy, reason: str | None) -> None:
    """Takes no more participants; sessions under way can be finished. Raises `NotNowError`."""
    before = await locked(session, study)
    if before.closed_by in {ClosedBy.RESEARCHER, ClosedBy.FILE}:
        raise NotNowError("The study is closed already.", "Nothing needs to be done.")
    await enter(session, study, EventKind.CLOSED, reason, {})


async def reopen(session: AsyncSession, study: StoredStudy, reason: str) -> None:
    """Takes participants again. Raises `NotNowError`."""
    before = await locked(session, study)
    if before.closed_by is None:
        raise NotNowError("The study is open.", "Nothing needs to be done.")
    if before.closed_by is ClosedBy.FILE:
        raise NotNowError(
            "The study's file says `open: false`.", "Set `open: true` there and restart."
        )
    if await _all_completed(session, study) or await _over(session, study):
        raise NotNowError(
            "The stop rule that the study declares is met.",
            "Change `stop` in the study's file; the change is shown as a deviation.",
        )
    await enter(session, study, EventKind.REOPENED, reason, {"deviates": True})


async def unblind(session: AsyncSession, study: StoredStudy, reason: str) -> None:
    """Shows the direction of votes before the end, for good. Raises `NotNowError`."""
    before = await locked(session, study)
    if before.votes_visible:
        raise NotNowError("The votes can already be seen.", "Open the study's results.")
    counted = await completed(session, study.slug)
    details = {"deviates": True, "completed": counted}
    await enter(session, study, EventKind.UNBLINDED, reason, details)


async def locked(session: AsyncSession, study: StoredStudy) -> StudyStatus:
    """The state, which nobody changes before this transaction ends."""
    # Two presses at once: the second sees what the first did.
    await session.execute(select(Study.id).where(Study.id == study.id).with_for_update())
    return await of(session, study)
