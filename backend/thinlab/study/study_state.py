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

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime, time
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, Field
from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession
from typing_extensions import TypeAliasType

from thinlab.database.schema import Participant, Study, StudyEvent
from thinlab.study.catalogue import StoredStudy
from thinlab.study.study_event import EventKind, enter, last_of_each_kind, last_turn

# Of participants, those whom the stop rule and the quotas count.
_COMPLETED = (
    Participant.kind == "person",
    Participant.completed_at.is_not(None),
    Participant.withdrawn_at.is_(None),
    ~Participant.left_out,
)


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
    (state,) = await of_each(session, [study])
    return state


async def of_each(session: AsyncSession, studies: Sequence[StoredStudy]) -> list[StudyStatus]:
    """The states of several at this moment, in their order."""
    last = await last_of_each_kind(session, {study.slug for study in studies})
    stops = await _stops(session, studies)
    return [_of(study, last[study.slug], stops.get(study.slug)) for study in studies]


def _of(study: StoredStudy, last: Mapping[str, int], stop: ClosedBy | None) -> StudyStatus:
    closed_by = _closed_by(study, last, stop)
    because = None
    if study.definition.votes_visible == "always":
        because = "always"
    elif closed_by is not None:
        because = "closed"
    elif last.keys() & {EventKind.UNBLINDED, EventKind.SHOWN}:
        because = "unblinded"
    return StudyStatus(
        closed=closed_by is not None,
        closed_by=closed_by,
        votes_visible=because is not None,
        visible_because=because,
    )


def _closed_by(
    study: StoredStudy, last: Mapping[str, int], stop: ClosedBy | None
) -> ClosedBy | None:
    if not study.definition.open:
        return ClosedBy.FILE
    turn = last_turn(last)
    if turn == EventKind.CLOSED:
        return ClosedBy.RESEARCHER
    if stop is not None:
        return stop
    return ClosedBy.STOPPED if turn == EventKind.STOPPED else None


async def _stops(session: AsyncSession, studies: Sequence[StoredStudy]) -> dict[str, ClosedBy]:
    """By study, what of its stop rule is met, where any of it is."""
    rules = {study.slug: study.definition.stop for study in studies if study.definition.stop}
    if not rules:
        return {}
    counted = await completed_of_each(
        session, {slug for slug, stop in rules.items() if stop.completed is not None}
    )
    now = (await session.scalars(select(func.now()))).one()
    met = {}
    for slug, stop in rules.items():
        if stop.completed is not None and counted[slug].total() >= stop.completed:
            met[slug] = ClosedBy.COMPLETED
        elif stop.on is not None and now >= datetime.combine(stop.on, time(), UTC):
            met[slug] = ClosedBy.DATE
    return met


async def completed(session: AsyncSession, slug: str) -> int:
    """Completed sessions that the stop rule counts, of every version."""
    return (await completed_of_each(session, [slug]))[slug].total()


async def completed_of_each(
    session: AsyncSession, slugs: Collection[str]
) -> dict[str, Counter[str]]:
    """By study, completed sessions that the stop rule and the quotas count, by language."""
    rows = await session.execute(
        select(Study.slug, Participant.language, func.count())
        .select_from(Participant)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug.in_(slugs), *_COMPLETED)
        .group_by(Study.slug, Participant.language)
    )
    found: dict[str, Counter[str]] = {slug: Counter() for slug in slugs}
    for slug, language, count in rows:
        found[slug][language] = count
    return found


async def completed_first(session: AsyncSession, slug: str, count: int) -> list[int]:
    """Ids of the participants whose sessions were the first of those to be completed."""
    found = await session.scalars(
        select(Participant.id)
        .join(Study, Study.id == Participant.study_id)
        .where(Study.slug == slug, *_COMPLETED)
        .order_by(Participant.completed_at, Participant.id)
        .limit(count)
    )
    return list(found)


async def show(session: AsyncSession, study: StoredStudy) -> bool:
    """Whether the direction of votes may be seen now; if so, notes that it was."""
    state = await locked(session, study)
    if state.closed:
        last = await last_of_each_kind(session, [study.slug])
        if last_turn(last[study.slug]) not in {EventKind.CLOSED, EventKind.STOPPED}:
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
    if await _stops(session, [study]):
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
