"""Whether a study still takes participants, and whether its votes may be seen.

SPDX-License-Identifier: Apache-2.0
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncSession

from thinlab.database.schema import Participant, Study, StudyEvent
from thinlab.study.catalogue import StoredStudy


@dataclass(frozen=True)
class StudyState:
    """Where a study stands."""

    closed: bool
    votes_visible: bool


async def of(session: AsyncSession, study: StoredStudy) -> StudyState:
    """Closed by hand or by its stop rule; votes are seen then, or once unblinded."""
    kinds = list(
        await session.scalars(
            select(StudyEvent.kind)
            .where(
                StudyEvent.slug == study.slug,
                StudyEvent.kind.in_(["closed", "reopened", "unblinded"]),
            )
            .order_by(StudyEvent.id)
        )
    )
    by_hand = [kind for kind in kinds if kind != "unblinded"][-1:] == ["closed"]
    closed = by_hand or await _stopped(session, study)
    visible = study.definition.votes_visible == "always" or closed or "unblinded" in kinds
    return StudyState(closed=closed, votes_visible=visible)


async def _stopped(session: AsyncSession, study: StoredStudy) -> bool:
    stop = study.definition.stop
    if stop is None:
        return False
    if stop.on is not None and datetime.now(UTC).date() >= stop.on:
        return True
    if stop.completed is None:
        return False
    completed = await session.scalar(
        select(func.count())
        .select_from(Participant)
        .join(Study, Study.id == Participant.study_id)
        .where(
            Study.slug == study.slug,
            Participant.kind == "person",
            Participant.completed_at.is_not(None),
        )
    )
    return (completed or 0) >= stop.completed
