"""Whether a study takes participants, and whether its researcher may see how they voted.

While a study runs, its researcher can still change who takes part, what is
said to them and when to stop. Who sees the votes meanwhile steers them,
meaning to or not. So the direction of votes stays hidden until the study is
closed or its stop rule is met; looking earlier is possible, and on record.

SPDX-License-Identifier: Apache-2.0
"""

from datetime import UTC, datetime, time
from enum import StrEnum
from typing import Any

from pydantic import BaseModel, Field
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Study, StudyEvent
from thinlab.study.catalogue import StoredStudy
from thinlab.study.places import is_left_out


class EventKind(StrEnum):
    """What happened to a study; `stopped` by its own rule, all else by the researcher."""

    CLOSED = "closed"
    STOPPED = "stopped"
    REOPENED = "reopened"
    UNBLINDED = "unblinded"
    FROZEN = "frozen"


class ClosedBy(StrEnum):
    """Why a study takes no more participants."""

    FILE = "file"
    RESEARCHER = "researcher"
    COMPLETED = "completed"
    DATE = "date"


class VisibleBecause(StrEnum):
    """Why the direction of votes can be seen."""

    ALWAYS = "always"
    CLOSED = "closed"
    UNBLINDED = "unblinded"


class StudyStatus(BaseModel):
    """Open or closed, and what of the votes may be seen."""

    closed: bool
    closed_by: ClosedBy | None = Field(
        description="`file`: `open: false`; `completed`, `date`: the stop rule; null: open."
    )
    votes_visible: bool = Field(description="Whether the direction of votes may be seen.")
    visible_because: VisibleBecause | None


class Event(BaseModel):
    """Something that happened to a study, and why."""

    kind: EventKind
    reason: str | None
    at: datetime
    deviates: bool = Field(
        description="Whether it was done against the plan: looked before the end, or went on after."
    )


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
        because = VisibleBecause.ALWAYS
    elif closed_by is not None:
        because = VisibleBecause.CLOSED
    elif EventKind.UNBLINDED in kinds:
        because = VisibleBecause.UNBLINDED
    return StudyStatus(
        closed=closed_by is not None,
        closed_by=closed_by,
        votes_visible=because is not None,
        visible_because=because,
    )


async def _closed_by(session: AsyncSession, study: StoredStudy) -> ClosedBy | None:
    if not study.definition.open:
        return ClosedBy.FILE
    last = await session.scalar(
        select(StudyEvent.kind)
        .where(
            StudyEvent.slug == study.slug,
            StudyEvent.kind.in_([EventKind.CLOSED, EventKind.STOPPED, EventKind.REOPENED]),
        )
        .order_by(StudyEvent.id.desc())
        .limit(1)
    )
    if last == EventKind.CLOSED:
        return ClosedBy.RESEARCHER
    if last == EventKind.STOPPED or await _all_completed(session, study):
        if last != EventKind.STOPPED:
            # Votes may be seen from now on. So it must stay so: a session that is withdrawn or
            # left out later makes room for nobody, unless the researcher says so and why.
            await _enter(session, study, EventKind.STOPPED, None, {})
        return ClosedBy.COMPLETED
    return ClosedBy.DATE if await _over(session, study) else None


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
    conditions = [
        Study.slug == slug,
        Participant.kind == "person",
        Participant.completed_at.is_not(None),
        Participant.withdrawn_at.is_(None),
        ~is_left_out(),
    ]
    if language is not None:
        conditions.append(Participant.language == language)
    counted = await session.scalar(
        select(func.count())
        .select_from(Participant)
        .join(Study, Study.id == Participant.study_id)
        .where(*conditions)
    )
    return counted or 0


async def close(session: AsyncSession, study: StoredStudy, reason: str | None) -> None:
    """Takes no more participants; sessions under way can be finished. Raises `NotNowError`."""
    before = await _locked(session, study)
    if before.closed_by in {ClosedBy.RESEARCHER, ClosedBy.FILE}:
        raise NotNowError("The study is closed already.", "Nothing needs to be done.")
    await _enter(session, study, EventKind.CLOSED, reason, {})


async def reopen(session: AsyncSession, study: StoredStudy, reason: str) -> None:
    """Takes participants again. Raises `NotNowError`."""
    before = await _locked(session, study)
    if before.closed_by is None:
        raise NotNowError("The study is open.", "Nothing needs to be done.")
    if before.closed_by is ClosedBy.FILE:
        raise NotNowError(
            "The study's file says `open: false`.", "Say `open: true` there and start again."
        )
    if await _all_completed(session, study) or await _over(session, study):
        raise NotNowError(
            "The stop rule that the study declares is met.",
            "Change `stop` in the study's file; the change is shown as a deviation.",
        )
    await _enter(session, study, EventKind.REOPENED, reason, {"deviates": True})


async def unblind(session: AsyncSession, study: StoredStudy, reason: str) -> None:
    """Shows the direction of votes before the end, for good. Raises `NotNowError`."""
    before = await _locked(session, study)
    if before.votes_visible:
        raise NotNowError("The votes can be seen already.", "Open the study's results.")
    counted = await completed(session, study.slug)
    details = {"deviates": True, "completed": counted}
    await _enter(session, study, EventKind.UNBLINDED, reason, details)


async def _locked(session: AsyncSession, study: StoredStudy) -> StudyStatus:
    # Two presses at once: the second sees what the first did.
    await session.execute(select(Study.id).where(Study.id == study.id).with_for_update())
    return await of(session, study)


async def _enter(
    session: AsyncSession,
    study: StoredStudy,
    kind: EventKind,
    reason: str | None,
    details: dict[str, Any],
) -> None:
    session.add(
        StudyEvent(
            slug=study.slug, study_id=study.id, kind=kind.value, reason=reason, details=details
        )
    )
    await session.flush()


async def events(session: AsyncSession, slug: str) -> list[Event]:
    """What was done with a study, newest first."""
    rows = await session.execute(
        # Not the whole details: those of a freeze are a copy of the study.
        select(
            StudyEvent.kind,
            StudyEvent.reason,
            StudyEvent.at,
            StudyEvent.details["deviates"].as_boolean(),
        )
        .where(StudyEvent.slug == slug, StudyEvent.kind.in_(list(EventKind)))
        .order_by(StudyEvent.id.desc())
    )
    return [
        Event(kind=EventKind(kind), reason=reason, at=at, deviates=bool(running))
        for kind, reason, at, running in rows
    ]
